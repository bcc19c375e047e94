/** What was seen lately of a live migration. */
import { createKeptProgress } from '../../../../../clouds/openstack/moves/kept-progress';

const running = { kind: 'running', progress: '5 of 10 MB are left to copy' } as const;

it.each([
  { situation: 'a moment later', afterMs: 14_000, status: running, expected: running },
  { situation: 'after a while', afterMs: 15_000, status: running, expected: undefined },
  {
    situation: 'of a migration that waits to begin',
    afterMs: 0,
    status: { kind: 'running', isQueued: true } as const,
    expected: undefined,
  },
])('counts $situation: $expected', ({ afterMs, status, expected }) => {
  let nowMs = 0;
  const progress = createKeptProgress(() => nowMs);
  progress.keep('move', status);
  nowMs = afterMs;
  expect(progress.seenLately('move')).toEqual(expected);
});

it('is forgotten with its move', () => {
  const progress = createKeptProgress(() => 0);
  progress.keep('move', running);
  progress.forget('move');
  expect(progress.seenLately('move')).toBeUndefined();
});
