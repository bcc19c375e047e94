/**
 * The fleet as one session sees it: which instances leave their hosts, and how. The snapshot tells the departure of
 * each instance for all sessions (rules/cloud/departure.ts); the workflow of the session and the time change it here.
 * A plan sees each instance as the session of its host does (api/services/plan-facts.ts).
 */
import type { Fleet } from '../fleet/fleet';
import { seenThrough, type ViewOfInstance } from '../fleet/seen-through';
import { heldIfBackAgain } from './back-again';
import { asksOnlyTheWilling, type RollingSession } from './built-in-workflow';
import { heldUntilEnd } from './wait-for-ends';
import { withoutAWord } from './without-a-word';

export interface SeeingSession extends RollingSession {
  readonly id: string;
}

/** By the workflow of the session alone. */
export const fleetOfSession = <Seen extends Pick<Fleet, 'instances' | 'groups'>>(
  session: RollingSession,
  fleet: Seen,
): Seen => seenThrough(fleet, [byWorkflow(session, fleet)]);

/**
 * For decisions about the session: what comes back again and again, or is waited for, is not moved now.
 * @param answered what the answers of projects make of an instance; left out: nothing
 */
export const fleetToDecideOn = <Seen extends Pick<Fleet, 'hosts' | 'instances' | 'groups' | 'returns'>>(
  session: SeeingSession,
  fleet: Seen,
  { nowMs, answered }: { readonly nowMs: number; readonly answered?: ViewOfInstance | undefined },
): Seen =>
  seenThrough(fleet, [
    answered,
    byWorkflow(session, fleet),
    heldIfBackAgain(fleet, session.id),
    heldUntilEnd(fleet, { sessionId: session.id, nowMs }),
  ]);

const byWorkflow = (session: RollingSession, { groups }: Pick<Fleet, 'groups'>): ViewOfInstance | undefined =>
  asksOnlyTheWilling(session) ? withoutAWord(groups) : undefined;
