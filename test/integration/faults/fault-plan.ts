/** The plan of a seed: which workflow runs, and which process is killed when. The same seed gives the same plan. */
import { randomFrom } from '../../builders/random';

export const killable = ['worker', 'api', 'temporal', 'postgres', 'kafka'] as const;

export interface PlannedKill {
  readonly victim: (typeof killable)[number];
  /** Milliseconds since the session was created, or since the victim before was up again. */
  readonly pauseMs: number;
}

export interface FaultPlan {
  readonly workflow: 'vnf' | 'default';
  /** Each process once. */
  readonly kills: readonly PlannedKill[];
}

const longestPauseMs = 6_000;
/** `vnf` has more in flight at once, so only one seed in this number runs `default`. */
const defaultEvery = 4;

export const planFaults = (seed: number): FaultPlan => {
  const random = randomFrom(seed);
  const order = killable.map((victim) => ({ victim, place: random() })).sort((one, other) => one.place - other.place);
  return {
    workflow: seed % defaultEvery === 0 ? 'default' : 'vnf',
    kills: order.map(({ victim }) => ({ victim, pauseMs: Math.floor(random() * longestPauseMs) })),
  };
};
