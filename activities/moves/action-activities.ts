/**
 * Carries out granted actions: starts a move (or attaches to the running one), watches it within its limit, falls back
 * to a forced one, and records the end. A repeat, or the successor of a killed worker, continues from the claim.
 */
import { findClaim, recordForced } from '../../prisma/moves/claims';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { wakeOthers } from '../session/wake-others';
import { type ActionRef, beginAction } from './begin-action';
import { endAction, tellFallback } from './end-action';
import { endByStatus, type EndOfAction, endOrPutOff, reasonIn } from './end-by-status';
import { fallsBack } from './falls-back';
import { lookAtRefusal } from './note-refusal';
import { claimedMove } from './reconcile';
import { watchAction } from './watch-action';

/** Carries the action out to its end, with success or not. @returns false when it has not begun, and may begin later */
export const carryOut = async (services: Services, ref: ActionRef): Promise<boolean> => {
  const outcome = await carryOutGranted(services, ref);
  return (outcome === 'fallBack' ? await force(services, ref) : outcome) === 'over';
};

/** fallBack: it is to be forced. notBegun: it was over before, ends here without a beginning, or waits. */
type Outcome = 'over' | 'notBegun' | 'fallBack';

/** Carries out the action that was granted, and forces nothing. */
export const carryOutGranted = async (services: Services, ref: ActionRef): Promise<Outcome> => {
  const claim = await beginAction(services, ref);
  if (claim === undefined) return 'notBegun';
  if (claim.forcedAt !== null) return 'fallBack';
  const limit = {
    seconds: claim.limitSeconds,
    isByProject: claim.limitByProject,
    queueSeconds: services.limits.moveSeconds,
  };
  const status = await watchAction(services, { claim, start: 'startMove', limit });
  if (fallsBack(services.cloud, claim, status)) return fallBack(services, ref, reasonIn(claim, status));
  await finish(services, ref, await endOrPutOff(services, claim, status));
  return 'over';
};

const force = async (services: Services, ref: ActionRef): Promise<Outcome> => {
  const claim = await beginAction(services, ref);
  if (claim === undefined) return 'notBegun';
  const { limits, cloud } = services;
  const limit = { seconds: limits.moveSeconds, isByProject: false, queueSeconds: limits.moveSeconds };
  const status = await watchAction(services, { claim, start: 'forceMove', limit });
  await finish(services, ref, await endOrPutOff(services, { ...claim, action: cloud.actions.forced }, status));
  return 'over';
};

/** The default action was not possible: the project is told, and the move will be forced. */
const fallBack = (services: Services, ref: ActionRef, reason: string): Promise<'fallBack' | 'over'> =>
  inHost(services, ref, async (tx) => {
    const claim = await findClaim(tx, ref.claimId);
    if (claim?.phase !== 'moving') return 'over';
    if (await recordForced(tx, ref.claimId)) await tellFallback(services, tx, { claim, reason });
    return 'fallBack';
  });

const finish = async (
  services: Services,
  ref: ActionRef,
  { abort, passesInSeconds, ...wanted }: EndOfAction,
): Promise<void> => {
  const claim = await findClaim(services.db, ref.claimId);
  if (claim === null) return;
  // A move beyond its limit is stopped; it may have ended in that very moment.
  const last = abort === true ? await services.cloud.abortMove(claimedMove(claim)) : undefined;
  const end = last?.kind === 'done' || last?.kind === 'gone' ? endByStatus(claim, last) : wanted;
  const refusal = end.outcome === 'refused' ? await lookAtRefusal(services, claim) : undefined;
  await inHost(services, ref, async (tx) => {
    const noted = refusal && (await refusal(tx, passesInSeconds));
    await endAction(services, tx, { claim, end: { ...end, ...(noted && { refusal: noted }) } });
  });
  await wakeOthers(services, ref.sessionId, { kind: end.outcome === 'done' ? 'budget' : 'room' });
};
