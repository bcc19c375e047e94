import { failureNaming, failureOn, firstLineOf } from '../../../../rules/words/failure-of-host';

it.each([
  { reason: 'action plug-in script (host) failed', failure: 'host a: action plug-in script (host) failed' },
  { reason: 'nothing answers at compute-a', failure: 'host a: nothing answers at compute-a' },
  { reason: 'host ab could not be disabled: no', failure: 'host a: host ab could not be disabled: no' },
  { reason: 'host a could not be disabled: no', failure: 'host a could not be disabled: no' },
  { reason: 'host a: no', failure: 'host a: no' },
])('the failure of host a by "$reason" names it', ({ reason, failure }) => {
  expect(failureNaming('a', reason)).toBe(failure);
});

it.each([
  { failure: 'host a: no', told: 'no' },
  { failure: 'host a cannot be drained: no', told: 'host a cannot be drained: no' },
  { failure: 'host ab: no', told: 'host ab: no' },
])('beside the name of host a, "$failure" is told as "$told"', ({ failure, told }) => {
  expect(failureOn('a', failure)).toBe(told);
});

it.each([
  { failure: 'it ended with exit code 3', told: 'it ended with exit code 3' },
  { failure: 'it ended with exit code 3: no disk\nlog: /var/log/a.log', told: 'it ended with exit code 3: no disk …' },
])('where there is little room, "$failure" is told as "$told"', ({ failure, told }) => {
  expect(firstLineOf(failure)).toBe(told);
});
