/** Shows the consequences of silence and of the last refusal. */
import { actsOnSilence, afterLastNack, afterSilence, type ReplyPolicy } from '../../../../rules/questions/reply-policy';

const because = 'project p did not answer';

it.each<{ policy: ReplyPolicy | null; silence: string | undefined; lastNack: string }>([
  { policy: null, silence: undefined, lastNack: 'fail' },
  { policy: { silence: 'default', lastNack: 'fail' }, silence: undefined, lastNack: 'fail' },
  { policy: { silence: 'skip_host', lastNack: 'pause' }, silence: 'skip_host', lastNack: 'pause' },
  { policy: { silence: 'pause', lastNack: 'skip_host' }, silence: 'pause', lastNack: 'skip_host' },
])('with $policy silence leads to $silence, the last refusal to $lastNack', ({ policy, silence, lastNack }) => {
  expect(afterSilence(policy, because)).toEqual(silence === undefined ? undefined : { kind: silence, because });
  expect(actsOnSilence(policy)).toBe(silence !== undefined);
  const help = { fail: 'continue the session', skip_host: 'retry the host', pause: 'resume the session' }[lastNack];
  expect(afterLastNack(policy, 'it refused')).toEqual({
    kind: lastNack,
    because: `it refused; settle with its manager, then ${help}`,
  });
});
