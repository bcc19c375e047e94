/**
 * Carries out granted actions: starts a move (or attaches to the running one), watches it within its limit, falls back
 * to a forced one, and records the end. A repeat, or the successor of a killed worker, continues from the claim.
 */
import { Context } from '@temporalio/activity';
import {
  BlockedRefusal,
  type CloudDriver,
  CloudRefusal,
  type MoveStatus,
  TargetRefusal,
} from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import type { ActionEnd } from '../../prisma/moves/claim-end';
import { type ClaimRecord, findClaim, recordForced } from '../../prisma/moves/claims';
import { findSessionProgress, isToBeAborted } from '../../prisma/session/session-progress';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { wakeOthers } from '../session/wake-others';
import { actionLimitOf } from './action-limit';
import { type ActionRef, beginAction } from './begin-action';
import { endAction, tellFallback } from './end-action';
import { lookAtRefusal } from './note-refusal';
import { claimedMove } from './reconcile';

/** A new move is observed soon, an older one less and less often, as fast as the cloud allows. In milliseconds. */
const untilNextPoll = ({ leastMs, mostMs, shareOfElapsed }: CloudDriver['pollPace'], elapsedMs: number): number =>
  Math.min(mostMs, Math.max(leastMs, elapsedMs * shareOfElapsed));

export const createActionActivities = (services: Services) => ({
  /** @returns 'over' when the action has ended, with success or not; 'fallBack' when it is to be forced. */
  async carryOutAction(ref: ActionRef): Promise<'over' | 'fallBack'> {
    const claim = await beginAction(services, ref);
    if (claim === undefined) return 'over';
    if (claim.forcedAt !== null) return 'fallBack';
    // Recorded when the action began. Actions that began before this was recorded have no value.
    const limitSeconds = claim.limitSeconds ?? (await actionLimitOf(services.db, services.limits, claim));
    const status = await move(services, { claim, start: 'startMove', limitSeconds });
    if (mustBeForced(services.cloud, claim, status)) return fallBack(services, ref, reasonIn(claim, status));
    await finish(services, ref, await endOrPutOff(services, claim, status));
    return 'over';
  },

  async forceAction(ref: ActionRef): Promise<void> {
    const claim = await beginAction(services, ref);
    if (claim === undefined) return;
    const { limits, cloud } = services;
    const status = await move(services, { claim, start: 'forceMove', limitSeconds: limits.moveSeconds });
    await finish(services, ref, await endOrPutOff(services, { ...claim, action: cloud.actions.forced }, status));
  },
});

export type ActionActivities = ReturnType<typeof createActionActivities>;

interface MoveWatch {
  readonly claim: ClaimRecord;
  readonly start: 'startMove' | 'forceMove';
  readonly limitSeconds: number;
}

/** givenUp: an own action whose session is to end does not hold that up. */
type WatchedMove = MoveStatus | { readonly kind: 'givenUp' };

/** Starts the move or attaches to it, and watches it; 'running' means that its limit has passed. */
const move = async ({ db, cloud }: Services, { claim, start, limitSeconds }: MoveWatch): Promise<WatchedMove> => {
  const request = claimedMove(claim);
  const since = (start === 'forceMove' ? claim.forcedAt : claim.startedAt) ?? (await databaseNow(db));
  const orFailed = orFailedAtLimit(() => leftOf(db, since, limitSeconds));
  let status = await orFailed(() => orWhatRefusalMeans(cloud, claim, cloud[start](request)));
  const beganMs = Date.now();
  while (status.kind === 'running') {
    const leftMs = await leftOf(db, since, limitSeconds);
    if (leftMs <= 0) break;
    if (await isToBeGivenUp(db, claim)) return { kind: 'givenUp' };
    // A worker that stops leaves the watch to another one.
    await Context.current().sleep(Math.min(leftMs, untilNextPoll(cloud.pollPace, Date.now() - beganMs)));
    status = await orFailed(() => cloud.observeMove(request));
  }
  return status;
};

/** An aborted session waits for moves that Parley has begun. Nothing of Parley's is under way during an own action. */
const isToBeGivenUp = async (db: Services['db'], { action, sessionId }: ClaimRecord): Promise<boolean> => {
  if (action !== 'OWN_ACTION') return false;
  const session = await findSessionProgress(db, sessionId);
  return session === null || isToBeAborted(session);
};

/** When the cloud does not answer it is asked again (the activity is retried), but not beyond the move's limit. */
const orFailedAtLimit =
  (leftMs: () => Promise<number>) =>
  async (ask: () => Promise<MoveStatus>): Promise<MoveStatus> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error) || (await leftMs()) > 0) throw error;
      return { kind: 'failed', reason: error.message };
    }
  };

/**
 * A refusal at once fails the move, in the cloud's words. But when the instance is gone or on another host by now, its
 * project or an operator was faster.
 */
const orWhatRefusalMeans = async (
  cloud: CloudDriver,
  { instanceId, source }: ClaimRecord,
  started: Promise<MoveStatus>,
): Promise<MoveStatus> => {
  try {
    return await started;
  } catch (error) {
    if (!(error instanceof CloudRefusal)) throw error;
    const instance = await cloud.findInstance(instanceId);
    if (instance === undefined) return { kind: 'gone' };
    if (instance.host !== source) return { kind: 'done', host: instance.host };
    if (error instanceof TargetRefusal) return refusedTarget(error);
    const { message: reason } = error;
    return { kind: 'failed', reason, ...(error instanceof BlockedRefusal && { isBlocked: true }) };
  }
};

const refusedTarget = ({ message: reason, passesInSeconds }: TargetRefusal): MoveStatus => ({
  kind: 'refused',
  reason,
  ...(passesInSeconds !== undefined && { passesInSeconds }),
});

/** Milliseconds until the limit. */
const leftOf = async (db: Services['db'], since: Date, limitSeconds: number): Promise<number> =>
  since.getTime() + limitSeconds * 1000 - (await databaseNow(db)).getTime();

const mustBeForced = ({ actions }: CloudDriver, { action }: ClaimRecord, status: WatchedMove): boolean =>
  action === actions.default && (status.kind === 'running' || (status.kind === 'failed' && !status.isBlocked));

/** The default action was not possible: the project is told, and the move will be forced. */
const fallBack = (services: Services, ref: ActionRef, reason: string): Promise<'fallBack' | 'over'> =>
  inHost(services, ref, async (tx) => {
    const claim = await findClaim(tx, ref.claimId);
    if (claim?.phase !== 'moving') return 'over';
    if (await recordForced(tx, ref.claimId)) await tellFallback(services, tx, { claim, reason });
    return 'fallBack';
  });

type Outcome = ActionEnd & { readonly abort?: boolean; readonly passesInSeconds?: number | undefined };

/** An instance that turns out to be one which the cloud cannot move is left to its project: planning decides again. */
const endOrPutOff = async ({ cloud }: Services, claim: ClaimRecord, status: WatchedMove): Promise<Outcome> => {
  const isBlocked = status.kind === 'failed' && status.isBlocked;
  if (!isBlocked || (await cloud.findInstance(claim.instanceId))?.cannotMove === undefined) return endOf(claim, status);
  return { outcome: 'dropped', failure: status.reason, ...(claim.forcedAt === null && { isUntouched: true }) };
};

const endOf = (claim: ClaimRecord, status: WatchedMove): Outcome => {
  switch (status.kind) {
    case 'done':
      return { outcome: 'done', host: status.host };
    case 'gone':
      return { outcome: 'gone' };
    case 'refused':
      return { outcome: 'refused', failure: status.reason, passesInSeconds: status.passesInSeconds };
    case 'failed':
    case 'unknown':
      return notDone(claim, reasonIn(claim, status));
    case 'running':
      return { ...notDone(claim, reasonIn(claim, status)), abort: true };
    case 'givenUp':
      return { outcome: 'dropped', failure: 'given up, because its session was aborted or deleted', abort: true };
  }
};

/** The reason why a move is not done. */
const reasonIn = ({ action }: ClaimRecord, status: WatchedMove): string => {
  if (status.kind === 'failed' || status.kind === 'refused') return status.reason;
  return status.kind === 'running' ? `${action} did not end within its limit` : 'the cloud knows nothing of the move';
};

/** An own action that the project did not carry out is not a failure: the service moves the instance itself. */
const notDone = ({ action }: ClaimRecord, failure: string): ActionEnd => ({
  outcome: action === 'OWN_ACTION' ? 'expired' : 'failed',
  failure,
});

const finish = async (
  services: Services,
  ref: ActionRef,
  { abort, passesInSeconds, ...wanted }: Outcome,
): Promise<void> => {
  const claim = await findClaim(services.db, ref.claimId);
  if (claim === null) return;
  // A move beyond its limit is stopped; it may have ended in that very moment.
  const last = abort === true ? await services.cloud.abortMove(claimedMove(claim)) : undefined;
  const end: ActionEnd = last?.kind === 'done' || last?.kind === 'gone' ? endOf(claim, last) : wanted;
  const refusal = end.outcome === 'refused' ? await lookAtRefusal(services, claim.target) : undefined;
  await inHost(services, ref, async (tx) => {
    const noted = refusal && (await refusal(tx, passesInSeconds));
    await endAction(services, tx, { claim, end: { ...end, ...(noted && { refusal: noted }) } });
  });
  await wakeOthers(services, ref.sessionId, { kind: end.outcome === 'done' ? 'budget' : 'room' });
};
