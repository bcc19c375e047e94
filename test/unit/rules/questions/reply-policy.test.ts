/** Shows the consequences of silence and of the last refusal. */
import {
  actsOnSilence,
  afterLastNack,
  afterSilence,
  lastNackOf,
  type ReplyPolicy,
  type SessionThatAsks,
} from '../../../../rules/questions/reply-policy';

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
  expect(afterLastNack({ replyPolicy: policy, windows: null, deadline: null }, 'it refused')).toEqual({
    kind: lastNack,
    because: `it refused; settle with its manager, then ${help}`,
  });
});

it.each<{ situation: string; session: Partial<SessionThatAsks>; lastNack: string }>([
  { situation: 'has neither windows nor a deadline', session: {}, lastNack: 'fail' },
  { situation: 'has windows', session: { windows: [] }, lastNack: 'pause' },
  { situation: 'has a deadline', session: { deadline: new Date(0) }, lastNack: 'pause' },
  {
    situation: 'has windows, and a policy about silence alone',
    session: { windows: [], replyPolicy: { silence: 'skip_host' } },
    lastNack: 'pause',
  },
  {
    situation: 'has windows, and is to fail',
    session: { windows: [], replyPolicy: { silence: 'default', lastNack: 'fail' } },
    lastNack: 'fail',
  },
])('the last refusal leads by default to $lastNack in a session that $situation', ({ session, lastNack }) => {
  expect(lastNackOf({ replyPolicy: null, windows: null, deadline: null, ...session })).toBe(lastNack);
});
