import { notAsBefore, offeredBy, onceItselfOf } from '../../../../rules/cloud/as-before';

const offering = (given: Partial<Parameters<typeof offeredBy>[0]> = {}) => ({
  amounts: { cpus: 8, memory: 100, gpu: 6 },
  devices: { gpu: 8 },
  ...given,
});
const before = offeredBy(offering());

it.each([
  { now: 'as before', given: {}, differences: [] },
  { now: 'with more devices', given: { devices: { gpu: 9 } }, differences: [] },
  { now: 'with a little less memory', given: { amounts: { cpus: 8, memory: 99, gpu: 8 } }, differences: [] },
  { now: 'without a resource', given: { amounts: { cpus: 8, gpu: 8 } }, differences: ['it offers no memory'] },
  { now: 'with fewer devices', given: { devices: { gpu: 7 } }, differences: ['it offers 7 of 8 gpu'] },
  { now: 'without devices', given: { devices: {} }, differences: ['it offers 0 of 8 gpu'] },
  { now: 'of a size that the cloud does not tell', given: { amounts: {} }, differences: [] },
  {
    now: 'with a new mark',
    given: { keepsAway: ['taint new'] },
    differences: ['it keeps instances away by taint new, which it did not before'],
  },
])('a host $now differs from before by $differences', ({ given, differences }) => {
  expect(notAsBefore(before, offering(given))).toEqual(differences);
});

it.each([
  { ignored: ['gpu'], differences: ['it keeps instances away by new, which it did not before'] },
  { ignored: ['gpu', 'new'], differences: [] },
])('$ignored that a session ignores is no difference', ({ ignored, differences }) => {
  expect(notAsBefore(before, offering({ devices: { gpu: 7 }, keepsAway: ['new'] }), ignored)).toEqual(differences);
});

it('a mark that was there before is no difference, and one that has gone is none', () => {
  const marked = offeredBy(offering({ keepsAway: ['one', 'other'] }));
  expect(notAsBefore(marked, offering({ keepsAway: ['one'] }))).toEqual([]);
});

it('nothing is known of a host of which nothing was recorded', () => {
  expect(notAsBefore(null, offering({ devices: {} }))).toEqual([]);
});

it.each([
  { host: 'as it was', recorded: before, given: {}, expected: {} },
  {
    host: 'under work that has lost its devices',
    recorded: before,
    given: { amounts: { cpus: 8, memory: 90 }, devices: {} },
    expected: { amountsOnceItself: { cpus: 8, memory: 100, gpu: 6 } },
  },
  {
    host: 'whose devices are not there at present',
    recorded: null,
    given: { amounts: { cpus: 8 }, devices: { gpu: 0 } },
    expected: { amountsOnceItself: { cpus: 8, gpu: Infinity } },
  },
  { host: 'with a new mark', recorded: before, given: { keepsAway: ['new'] }, expected: { isClassUnknown: true } },
])('a host $host may be once itself $expected', ({ recorded, given, expected }) => {
  expect(onceItselfOf(recorded, offering(given))).toEqual(expected);
});
