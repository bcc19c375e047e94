/** How a session stands to its maintenance windows at the time of a decision (planning/rolling/work-in-window.ts). */
import type { Decision } from '../../planning/decision';
import type { Waiting } from '../../planning/fleet/fleet';
import { FleetModel } from '../../planning/model/fleet-model';
import {
  canBeGivenBack,
  type InWindow,
  lookAtWindow,
  opensReason,
  type OpenTimes,
  windowProblem,
} from '../../planning/rolling/work-in-window';
import { isOpen, type SessionProgress } from '../../prisma/session/session-progress';
import type { Services } from '../services';
import type { SessionFacts } from './decide';

/** closed: nothing begins until it opens. open: only what ends inside begins. */
export type WindowNow =
  | {
      readonly kind: 'closed';
      readonly reasonFor: (who: string) => Waiting;
      readonly giveBack: readonly string[];
      /** Until the next one opens; undefined: nobody can say. */
      readonly opensInMs?: number;
    }
  | { readonly kind: 'open'; readonly look: InWindow };

/** Undefined: the session has no windows. */
export const windowNow = (
  { limits }: Pick<Services, 'limits'>,
  { session, fleet, now, expected }: SessionFacts,
): WindowNow | undefined => {
  if (session.windows === null) return undefined;
  const [times, nowMs, sessionId] = [openTimesOf(session), now.getTime(), session.id];
  if (isOpen(session, now)) {
    const replySeconds = limits.projectReplySeconds;
    return {
      kind: 'open',
      look: lookAtWindow({
        model: new FleetModel(fleet, nowMs),
        sessionId,
        nowMs,
        times,
        replySeconds,
        ...expecting(expected),
      }),
    };
  }
  const giveBack = fleet.hosts.filter((host) => host.work?.sessionId === sessionId && canBeGivenBack(host));
  const opensInMs = times.opensAtMs === Infinity ? {} : { opensInMs: times.opensAtMs - nowMs };
  return { kind: 'closed', reasonFor: closedReason(session, times, nowMs), giveBack: namesOf(giveBack), ...opensInMs };
};

const expecting = (expected: SessionFacts['expected']) => (expected === undefined ? {} : { expected });

const namesOf = (hosts: readonly { readonly name: string }[]): string[] => hosts.map(({ name }) => name);

const openTimesOf = (session: SessionProgress): OpenTimes => {
  const { windowOpensAt, windowClosesAt, windowOpensAgainAt, windowLongestSeconds } = session;
  return {
    opensAtMs: windowOpensAt?.getTime() ?? Infinity,
    ...(windowClosesAt !== null && { mayBeginUntilMs: windowClosesAt.getTime() }),
    ...(windowOpensAgainAt !== null && { opensAgainAtMs: windowOpensAgainAt.getTime() }),
    ...(windowLongestSeconds !== null && { longestSeconds: windowLongestSeconds }),
  };
};

const closedReason =
  ({ windowProblem: problem }: SessionProgress, { opensAtMs }: OpenTimes, nowMs: number) =>
  (who: string): Waiting =>
    problem === null ? opensReason(who, opensAtMs, nowMs) : windowProblem(who, problem);

/** Of a session that begins nothing: hosts that cannot be back before the window closes are given back all the same. */
export const withGivenBack = (held: Decision, now: WindowNow | undefined): Decision => {
  if (now === undefined) return held;
  const { giveBack } = now.kind === 'open' ? now.look : now;
  const lookAgainMs = now.kind === 'open' ? now.look.lookAgainMs : Infinity;
  return {
    ...held,
    giveBack,
    waiting: held.waiting.filter(({ who }) => !giveBack.includes(who)),
    lookAgainMs: Math.max(1, Math.min(held.lookAgainMs, lookAgainMs)),
  };
};
