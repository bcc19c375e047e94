/** How a session stands to its maintenance windows at the time of a decision (planning/rolling/work-now.ts). */
import { opensReason, type OpenTimes, windowProblem } from '../../planning/rolling/work-in-window';
import type { WindowNow } from '../../planning/rolling/work-now';
import { isOpen, type SessionProgress } from '../../prisma/session/session-progress';

/** Undefined: the session has no windows. */
export const windowNow = (session: SessionProgress, now: Date): WindowNow | undefined => {
  if (session.windows === null) return undefined;
  const times = openTimesOf(session);
  if (isOpen(session, now)) return { kind: 'open', times };
  const { opensAtMs } = times;
  const { windowProblem: problem } = session;
  const reasonFor = (who: string) =>
    problem === null ? opensReason(who, opensAtMs, now.getTime()) : windowProblem(who, problem);
  return { kind: 'closed', reasonFor, opensAtMs };
};

const openTimesOf = (session: SessionProgress): OpenTimes => {
  const { windowOpensAt, windowClosesAt, windowOpensAgainAt, windowLongestSeconds } = session;
  return {
    opensAtMs: windowOpensAt?.getTime() ?? Infinity,
    ...(windowClosesAt !== null && { mayBeginUntilMs: windowClosesAt.getTime() }),
    ...(windowOpensAgainAt !== null && { opensAgainAtMs: windowOpensAgainAt.getTime() }),
    ...(windowLongestSeconds !== null && { longestSeconds: windowLongestSeconds }),
  };
};
