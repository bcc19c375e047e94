/** How far a session is with its canary, by its row and a snapshot of the fleet. */
import type { Fleet } from '../decisions/fleet/fleet';
import { type Canary, type CanaryHost, type CanaryStage, canaryStage, chooseCanary } from './canary';
import { holdBack } from './hold-back';

interface CanarySession {
  readonly id: string;
  readonly canary: Canary | null;
  /** Null: the canary hosts are not done. */
  readonly canaryEndedAt: Date | null;
}

interface CanaryFleet {
  readonly fleet: Fleet;
  readonly now: Date;
  /** The session's hosts. */
  readonly own: readonly CanaryHost[];
}

export const canaryStageOf = (
  { id: sessionId, canary, canaryEndedAt }: CanarySession,
  { fleet, now, own }: CanaryFleet,
): CanaryStage =>
  canaryStage({
    canary,
    ...(canaryEndedAt !== null && { endedAtMs: canaryEndedAt.getTime() }),
    nowMs: now.getTime(),
    own,
    choose: chooseCanary(fleet, { sessionId, nowMs: now.getTime() }),
  });

/** The fleet without the hosts that come after the canary, for a session that has nothing under work. */
export const fleetOfCanary = (session: CanarySession, fleet: Fleet, now: Date): Fleet => {
  const own = fleet.hosts.flatMap(({ name, work }) =>
    work?.sessionId === session.id ? [{ name, phase: work.phase }] : [],
  );
  const stage = canaryStageOf(session, { fleet, now, own });
  return stage.kind === 'first' ? holdBack(fleet, stage.held) : fleet;
};
