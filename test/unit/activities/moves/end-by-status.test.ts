/** What the last status of a move means for its claim, and whether the move is forced. */
import { endByStatus, endUnwatched } from '../../../../activities/moves/end-by-status';
import { fallsBack } from '../../../../activities/moves/falls-back';
import type { WatchedMove } from '../../../../activities/moves/watched-move';
import type { CloudDriver } from '../../../../clouds/cloud-driver';
import { openStackActions } from '../../../../clouds/openstack/actions';
import type { ClaimRecord } from '../../../../prisma/moves/claims';

const claim = { action: 'LIVE_MIGRATE', forcedAt: null, startedAt: new Date() } as ClaimRecord;
const cloud = { actions: openStackActions } as CloudDriver;

it.each<{ situation: string; status: WatchedMove; forced: boolean; end: object }>([
  {
    situation: 'is on its target, and not well there',
    status: { kind: 'done', host: 'compute-2', trouble: 'Nova has set it to ERROR' },
    forced: false,
    end: { outcome: 'done', host: 'compute-2', failure: 'Nova has set it to ERROR' },
  },
  {
    situation: 'was moved back',
    status: { kind: 'again', reason: 'moved back' },
    forced: false,
    end: { outcome: 'dropped', failure: 'moved back' },
  },
  {
    situation: 'may be on either host',
    status: { kind: 'failed', reason: 'may be on either', isBlocked: true },
    forced: false,
    end: { outcome: 'failed', failure: 'may be on either' },
  },
  {
    situation: 'could not be moved live',
    status: { kind: 'failed', reason: 'no' },
    forced: true,
    end: { outcome: 'failed', failure: 'no' },
  },
  {
    situation: 'moves beyond the limit',
    status: { kind: 'running', progress: '1 of 9 MB are left' },
    forced: true,
    end: { outcome: 'failed', failure: 'LIVE_MIGRATE did not end within its limit: 1 of 9 MB are left' },
  },
  {
    situation: 'stays in a migration that the cloud calls completed',
    status: { kind: 'running', isStuck: true, progress: 'Nova says that it is completed' },
    forced: false,
    end: { outcome: 'failed', failure: 'LIVE_MIGRATE did not end within its limit: Nova says that it is completed' },
  },
])('an instance that $situation is forced: $forced', ({ status, forced, end }) => {
  expect(fallsBack(cloud, claim, status)).toBe(forced);
  expect(endByStatus(claim, status)).toMatchObject(end);
});

it('a move that nobody watched, and that is worth asking for again, is decided again', () => {
  const end = endUnwatched(claim, { kind: 'again', reason: 'moved back' });
  expect(end).toEqual({ outcome: 'dropped', failure: 'moved back' });
});
