/**
 * A step of a session in virtual time within its canary and its maintenance windows, by the rule by which the service
 * goes on as well (rules/steps/session-step.ts).
 */
import { hostsThatMayHaveFailed } from '../decisions/both-workflows/session-facts';
import type { Decision } from '../decisions/decision';
import { noneLeaves } from '../decisions/fleet/gone-hosts';
import type { FleetModel } from '../decisions/model/fleet-model';
import { stateAfterLook } from '../decisions/scale-in/when-to-scale-in';
import type { ExpectedTimes } from '../expectations/expected-times';
import { isOpenAt } from '../maintenance-windows/is-window-open';
import { type Canary, type CanaryStage, canaryStage, chooseCanary } from '../steering/canary';
import { holdBack } from '../steering/hold-back';
import type { OpenTimes } from '../steering/work-in-maintenance-window';
import { type MaintenanceWindowNow, workNow } from '../steering/work-now';
import { type SessionStep, stepOfSession } from '../steps/session-step';

/** The steering that bounds the decisions of a session. */
export interface DecisionSteering {
  readonly canary?: { readonly canary: Canary; readonly endedAtMs?: number };
  readonly windows?: PlayedWindows;
}

/** Maintenance windows, worked out elsewhere. */
export interface PlayedWindows {
  /** The window that is open at that time, or opens next. Asked for times that only grow. */
  readonly openTimesAt: (nowMs: number) => OpenTimes;
  /** They open no more often than this in a week, after which they repeat. */
  readonly openingsInWeek: number;
}

/** A session at the time of its next step. */
export interface SessionToStep {
  readonly sessionId: string;
  readonly model: FleetModel;
  readonly nowMs: number;
  /** The time when the session has begun. */
  readonly begunAtMs: number;
  readonly steering: DecisionSteering;
  /** The seconds that a project has for its reply when no constraints say it. */
  readonly replySeconds: number;
  /** Left out: as if nothing was seen. */
  readonly expected?: ExpectedTimes;
}

export interface SteeredFacts extends SessionToStep {
  readonly maxFailedHosts: number;
  /** Decides on the facts that the model has at the time of the call. */
  readonly decide: () => Decision;
}

export interface SteeredStep extends SessionStep {
  /** The time since when its window is open; left out: it has none that is open. */
  readonly opensAtMs?: number;
}

export const steeredStep = (facts: SteeredFacts): SteeredStep => {
  const { model, sessionId, nowMs, begunAtMs, replySeconds, expected, maxFailedHosts, decide } = facts;
  const times = facts.steering.windows?.openTimesAt(nowMs);
  const work = workNow({
    stage: stageOf(facts),
    window: times && windowAt(times, nowMs),
    own: model.hostsOf(sessionId),
    hasOwnerTimes: model.hasOwnerTimes,
    model: () => model,
    nowMs,
    begunAtMs,
    replySeconds,
    ...(expected && { expected }),
  });
  const hosts = noneLeaves(hostsThatMayHaveFailed({ model, sessionId }));
  const step = stepOfSession({ nowMs, hosts, maxFailedHosts, work, model: () => model, decide });
  return { ...step, ...(times && work.kind === 'work' && { opensAtMs: times.opensAtMs }) };
};

const windowAt = (times: OpenTimes, nowMs: number): MaintenanceWindowNow => {
  const { opensAtMs, mayBeginUntilMs: closesAtMs } = times;
  if (isOpenAt({ opensAtMs, closesAtMs }, nowMs)) return { kind: 'open', times };
  return { kind: 'closed', opensAtMs };
};

/** The state in which the session begins, with only the hosts of its canary where it has one. */
export const beginningOf = ({ model, sessionId, ...facts }: SessionToStep) => {
  const stage = stageOf({ model, sessionId, ...facts });
  const fleet = model.snapshot();
  return stateAfterLook(stage.kind === 'first' ? holdBack(fleet, stage.held) : fleet, sessionId);
};

const stageOf = ({ model, sessionId, nowMs, steering }: SessionToStep): CanaryStage => {
  if (steering.canary === undefined) return { kind: 'none' };
  const own = steering.canary.endedAtMs === undefined ? model.hostsOf(sessionId) : [];
  const choose = (count: number): readonly string[] => chooseCanary(model.snapshot(), { sessionId, nowMs })(count);
  const phases = own.flatMap(({ name, work }) => (work ? [{ name, phase: work.phase }] : []));
  return canaryStage({ ...steering.canary, nowMs, own: phases, choose });
};
