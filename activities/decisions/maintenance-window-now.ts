/** How a session stands to its windows and the freezes at the time of a decision (rules/steering/work-now.ts). */
import type { Transaction } from '../../prisma/database';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { findExpectedTimes } from '../../prisma/times/find-expected-times';
import type { Fleet } from '../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../rules/decisions/model/fleet-model';
import { usualTimesOf } from '../../rules/expectations/expected-times';
import { isBoundToTimes, isWindowOpen } from '../../rules/maintenance-windows/is-window-open';
import { holdBack } from '../../rules/steering/hold-back';
import { namesFittingNowhere, type OpenTimes } from '../../rules/steering/work-in-maintenance-window';
import type { MaintenanceWindowNow } from '../../rules/steering/work-now';
import type { Services } from '../services';

/** Undefined: the session may begin at any time. */
export const maintenanceWindowNow = (session: SessionProgress, now: Date): MaintenanceWindowNow | undefined => {
  if (!isBoundToTimes(session)) return undefined;
  const times = openTimesOf(session);
  if (isWindowOpen(session, now)) return { kind: 'open', times };
  return { kind: 'closed', opensAtMs: times.opensAtMs };
};

/** A session that has not begun counts as begun now. */
export const begunAtMsOf = ({ begunAt }: SessionProgress, now: Date): number => (begunAt ?? now).getTime();

/**
 * The fleet without the session's hosts that fit into none of its windows: it neither asks for capacity for them, nor
 * can it go on with them.
 */
export const withoutHostsThatFitNowhere = async (
  { limits }: Pick<Services, 'limits'>,
  tx: Transaction,
  { session, fleet, now }: { readonly session: SessionProgress; readonly fleet: Fleet; readonly now: Date },
): Promise<Fleet> => {
  const { id: sessionId, actions, windowLongestSeconds: longestSeconds } = session;
  if (longestSeconds === null) return fleet;
  const expected = await findExpectedTimes(tx, { sessionId, actions }, usualTimesOf(limits));
  const nowMs = now.getTime();
  const model = new FleetModel(fleet, nowMs);
  const own = model.hostsOf(sessionId);
  const replySeconds = limits.projectReplySeconds;
  const begunAtMs = begunAtMsOf(session, now);
  return holdBack(fleet, namesFittingNowhere({ model, own, nowMs, begunAtMs, longestSeconds, expected, replySeconds }));
};

const openTimesOf = (session: SessionProgress): OpenTimes => {
  const { windowOpensAt, windowClosesAt, windowOpensAgainAt, windowLongestSeconds, windowClosedBy } = session;
  return {
    opensAtMs: windowOpensAt?.getTime() ?? Infinity,
    ...(windowClosesAt !== null && { mayBeginUntilMs: windowClosesAt.getTime() }),
    ...(windowOpensAgainAt !== null && { opensAgainAtMs: windowOpensAgainAt.getTime() }),
    ...(windowLongestSeconds !== null && { longestSeconds: windowLongestSeconds }),
    ...(windowClosedBy !== null && { closedBy: windowClosedBy }),
  };
};
