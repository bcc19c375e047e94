/** Begins a move: checks for an immediate refusal, logs the move, then asks Nova. */
import { isClaimOver } from '../../../prisma/moves/claims';
import {
  BlockedRefusal,
  CloudRefusal,
  type LaterMove,
  type MoveRequest,
  type MoveStatus,
  TargetRefusal,
} from '../../cloud-driver';
import { whyNotCold } from '../classes/kept-by-secret';
import type { NovaServer } from '../nova/answers';
import type { SeenServer } from '../nova/seen-server';
import { knownRequestsOf } from './adopt';
import { waitForSlot } from './host-slots';
import {
  describeMove,
  isCold,
  logPosting,
  newestMoveOf,
  type NewNovaMove,
  type NovaMove,
  openMoveOf,
  recordEnd,
  recordRunning,
} from './move-log';
import type { Mover } from './mover';
import { goOnPosting, postMove } from './post-move';
import { hostOfServer, isBusy, namedServer, taskOf } from './server-state';
import { watchMove } from './watch-move';

/** Starts the claim's move, or attaches to the claim's present one. @throws CloudRefusal */
export const startMove = async (mover: Mover, request: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, request.claimId);
  if (known === undefined) return begin(mover, { ...request, forced: false });
  return known.status === 'posting' ? goOnPosting(mover, known) : watchMove(mover, known);
};

export interface MoveToBegin extends MoveRequest {
  readonly forced: boolean;
}

/** @throws CloudRefusal when the move cannot begin; nothing has changed then */
export const begin = async (mover: Mover, request: MoveToBegin): Promise<MoveStatus> =>
  request.action === 'OWN_ACTION' && !request.forced ? beginOwnAction(mover, request) : beginMigration(mover, request);

const beginMigration = async (mover: Mover, request: MoveToBegin): Promise<MoveStatus> => {
  const noSlot = await waitForSlot(mover.db, { ...request, movesPerHost: mover.movesPerHost });
  if (noSlot !== undefined) return noSlot;
  const seen = await serverOf(mover, request);
  const other = await openMoveOf(mover.db, request.instanceId);
  if (other !== undefined && isSameMove(other, request)) return { kind: 'running' };
  const wait = await waitForServer(mover, request, { server: seen.server, other });
  if (wait !== undefined) return wait;
  await refuseUnfit(mover, request, seen.server);
  const known = await knownRequestsOf(mover.nova, request.instanceId);
  const move = await logPosting(mover.db, newMove(request, seen, known), mover.movesPerHost);
  if (move === undefined) return attachToQuicker(mover, request);
  return 'kind' in move ? move : postMove(mover, move);
};

/** The project moves it itself, so Nova is not asked; it may have begun by now. */
const beginOwnAction = async (mover: Mover, request: MoveToBegin): Promise<MoveStatus> => {
  const seen = await serverOf(mover, request);
  const other = await openMoveOf(mover.db, request.instanceId);
  if (other !== undefined && isSameMove(other, request)) return { kind: 'running' };
  if (other !== undefined) await refuseUnlessOver(mover, other);
  const move = await logPosting(mover.db, newMove(request, seen, []), mover.movesPerHost);
  if (move === undefined || 'kind' in move) return attachToQuicker(mover, request);
  await recordRunning(mover.db, move, { requestId: null, target: request.target });
  return { kind: 'running' };
};

const serverOf = async ({ nova }: Mover, { instanceId }: MoveRequest): Promise<SeenServer> => {
  const seen = await nova.findServer(instanceId);
  if (seen === undefined) throw new CloudRefusal(`Instance ${instanceId} could not be found.`);
  return seen;
};

const newMove = (request: MoveToBegin, { server, at }: SeenServer, knownRequests: readonly string[]): NewNovaMove => ({
  claimId: request.claimId,
  forced: request.forced,
  instanceId: server.id,
  instanceName: server.name,
  action: request.action,
  source: hostOfServer(server) ?? request.source, // where it really is: the caller's facts may be stale
  target: request.target,
  novaTime: at,
  knownRequests,
});

/** Another process logged the move first. */
const isSameMove = ({ claimId, forced }: NovaMove, request: MoveToBegin): boolean =>
  claimId === request.claimId && forced === request.forced;

/** Another process logged a move at the same moment: for the same claim, or for another claim that was first. */
const attachToQuicker = async (mover: Mover, request: MoveToBegin): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, request.claimId);
  if (known !== undefined && isSameMove(known, request)) return { kind: 'running' };
  throw new CloudRefusal(`Cannot move instance ${request.instanceId}: another move of it is just beginning.`);
};

interface ServerAndMove {
  readonly server: NovaServer;
  /** The open move of the instance. */
  readonly other: NovaMove | undefined;
}

/**
 * The server is in a move or in another task of Nova, such as a snapshot or a backup. Another claim's move may be over
 * without anybody having observed it, or go on although its claim is over. A project's own action gives way.
 */
const waitForServer = async (
  mover: Mover,
  request: MoveToBegin,
  { server, other }: ServerAndMove,
): Promise<LaterMove | undefined> => {
  if (other !== undefined && other.claimId !== request.claimId) {
    if (await isClaimOver(mover.db, other.claimId)) {
      if ((await watchMove(mover, other)).kind === 'running') return later(`${describeMove(other)} is still in flight`);
    } else {
      await refuseUnlessOver(mover, other);
    }
  }
  if (!isBusy(server)) return undefined;
  return later(`Nova is busy with ${namedServer(server)} (${taskOf(server) ?? server.status})`);
};

const later = (because: string): LaterMove => ({ kind: 'later', waitsFor: 'instance', because });

const refuseUnlessOver = async (mover: Mover, other: NovaMove): Promise<void> => {
  const { kind } = await watchMove(mover, other);
  if (kind !== 'running') return;
  if (other.action === 'OWN_ACTION' && !other.forced) {
    await recordEnd(mover.db, other, { kind: 'failed', reason: `${describeMove(other)} was given up` });
    return;
  }
  throw new CloudRefusal(
    `Cannot move instance ${other.instanceName} (${other.instanceId}): ${describeMove(other)} runs.`,
  );
};

/** Refuses a move that Nova would accept and then not carry out. */
const refuseUnfit = async (
  mover: Mover,
  { target, action, forced }: MoveToBegin,
  server: NovaServer,
): Promise<void> => {
  const notCold = isCold({ action, forced }) ? whyNotCold(server) : undefined;
  if (notCold !== undefined) throw new BlockedRefusal(`Cannot move ${namedServer(server)} cold, since ${notCold}.`);
  const cannot = `Cannot move ${namedServer(server)} to host ${target}:`;
  const source = hostOfServer(server);
  if (source === undefined) throw new CloudRefusal(`${cannot} it is on no host (${server.status}).`);
  if (source === target) throw new CloudRefusal(`${cannot} the instance is there already.`);
  const problem = await mover.checkWay({ source, target, server });
  if (problem === undefined) return;
  const message = `${cannot} ${problem.reason}`;
  throw problem.isOfTarget ? new TargetRefusal(message, mover.noHostSeconds) : new BlockedRefusal(message);
};
