/**
 * A session of the workflow `vnf` in virtual time: decisions are carried out on a fleet file, with the
 * file's times.
 */
import type { VnfFacts, VnfLimits } from '../decisions/both-workflows/session-facts';
import type { Fleet } from '../decisions/fleet/fleet';
import { withDefaultImpact } from '../decisions/limits/default-impact';
import { scaleInNeed, whyNotDrained } from '../decisions/scale-in/scale-in-need';
import type { SeenTimes } from '../expectations/expected-times';
import { usualReplySeconds } from '../questions/reply-window';
import { leastNeed } from '../questions/scale-in-words';
import type { FileFleet } from './file-fleet';
import { LearnedMaintenances } from './learned-maintenances';
import type { Ending } from './session-to-play';
import { asPlanned, simulatedSessionId, timesOf } from './virtual-fleet';
import { VirtualSessions } from './virtual-sessions';
import type { TraceEvent } from './virtual-world';

export type { TraceEvent } from './virtual-world';

export interface SimulationOptions {
  readonly limits: VnfLimits;
  /** The same fleet with the real times, when they differ from those in the fleet file. */
  readonly actual?: FileFleet;
  /**
   * Decisions are not told how long the maintenance of a host takes. They expect these times, and learn from each
   * maintenance that ends. Undefined: the fleet file tells them the times.
   */
  readonly learnsFrom?: SeenTimes;
  /** The clock that measures decisions, in milliseconds; undefined: they are not measured. */
  readonly clock?: () => number;
  /** Called with the facts of each decision. */
  readonly watch?: (facts: VnfFacts) => void;
}

export interface SimulationResult {
  readonly trace: readonly TraceEvent[];
  readonly makespanSeconds: number;
  readonly moves: number;
  /** The milliseconds that each decision took. */
  readonly decisionMs: readonly number[];
  readonly failure?: string;
}

export const simulate = (fleet: FileFleet, options: SimulationOptions): SimulationResult => {
  const { limits, actual = fleet, learnsFrom, clock, watch } = options;
  const learned = learnsFrom && new LearnedMaintenances(learnsFrom);
  const planned = withDefaultImpact(asPlanned(fleet), limits.defaultImpactShare);
  const sessions = new VirtualSessions({
    fleet: learned?.expectedIn(planned) ?? planned,
    startMs: 0,
    sessions: [
      { sessionId: simulatedSessionId, worksLike: 'vnf', limits, state: 'PREPARE_MAINTENANCE', beginsAtMs: 0 },
    ],
    times: timesOf(actual),
    replySeconds: usualReplySeconds,
    // Every action in the model is the migration type, including a project's own action.
    actionOf: ({ migrationType, defaultAction }) => migrationType ?? defaultAction,
    maintained: learned && (({ model }, hostname, ms) => learned.noteEnd(model, hostname, ms / 1000)),
    clock,
    watch,
  });
  const ending = sessions.runUntilEndOf(simulatedSessionId);
  const { world, moves, decisionMs } = sessions;
  world.note('done', {});
  const failure = failureOf(ending, world.model.snapshot());
  return {
    trace: world.trace.filter(isSeenByOthers),
    makespanSeconds: world.nowMs / 1000,
    moves: moves.count,
    decisionMs,
    ...(failure !== undefined && { failure }),
  };
};

/** A trace file has what projects and the cloud see, not what the session has granted or withdrawn. */
const isSeenByOthers = ({ event }: TraceEvent): boolean => event !== 'grant' && event !== 'withdraw';

const failureOf = (ending: Ending, fleet: Fleet): string | undefined => {
  switch (ending.kind) {
    case 'complete':
      return undefined;
    case 'failed':
      return ending.failure;
    case 'scaleIn':
      return whyNoHostIsEmptied(fleet);
    case 'paused':
      return ending.because;
    case 'neverFits':
    case 'windowsOver':
    case 'stalled':
      return 'the simulation stands still: no event is left, and nothing is decided';
  }
};

/** No project scales in here. */
const whyNoHostIsEmptied = (fleet: Fleet): string => {
  const need = scaleInNeed(fleet, simulatedSessionId);
  const why = need && [leastNeed(need), whyNotDrained(fleet, need.host)];
  return ['no host can be drained, and projects have to scale in', ...(why ?? [])].filter(Boolean).join('; ');
};
