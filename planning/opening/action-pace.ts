/** How long an instance's action is expected to take, as far as its constraints and size tell. */
import type { Action, Instance } from '../fleet/fleet';

/** Guesses. Seconds. */
const movesOfNoMemory: Record<Action, number> = { LIVE_MIGRATE: 6, MIGRATE: 25, OWN_ACTION: 65, EVICTION: 20 };
/** Of what copies memory or disks. */
const secondsPerGb = 0.9;
const usualLeadSeconds = 20;
/** Managers answer before their time is over. */
const answerShare = 0.6;

/** From its question to the end of its move. */
export function secondsOfAction({ migrationType, leadTimeSeconds, memoryMb }: Instance): number {
  const action = migrationType ?? 'LIVE_MIGRATE';
  const isCopied = action === 'LIVE_MIGRATE' || action === 'MIGRATE';
  const moveSeconds = movesOfNoMemory[action] + (isCopied ? (secondsPerGb * memoryMb) / 1024 : 0);
  return answerShare * (leadTimeSeconds ?? usualLeadSeconds) + moveSeconds;
}
