/**
 * Decides for a session in virtual time within its canary and its maintenance windows, by the rule by which the service
 * does (rules/steering/work-now.ts).
 */
import { type Decision, nothingDecided } from '../decisions/decision';
import type { FleetModel } from '../decisions/model/fleet-model';
import { stateAfterLook } from '../decisions/scale-in/when-to-scale-in';
import type { ExpectedTimes } from '../expectations/expected-times';
import { isOpenAt } from '../maintenance-windows/is-window-open';
import type { Waiting } from '../obstacles/waits';
import { type Canary, type CanaryStage, canaryStage, chooseCanary } from '../steering/canary';
import { holdBack, withHeld, withoutHeld } from '../steering/hold-back';
import { opensReason, type OpenTimes } from '../steering/work-in-maintenance-window';
import { decisionOfNoWork, type MaintenanceWindowNow, type Work, workNow } from '../steering/work-now';

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

export interface SteeredFacts {
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
  /** Decides on the facts that the model has at the time of the call. */
  readonly decide: () => Decision;
}

export interface SteeredDecision {
  readonly decision: Decision;
  /** The time of the next decision, whatever happens before. */
  readonly againAtMs?: number;
  /** The open window: since when it is open, and why each host waits that would not be back in time. */
  readonly inWindow?: { readonly opensAtMs: number; readonly held: readonly Waiting[] };
}

export const decideSteered = (facts: SteeredFacts): SteeredDecision => {
  const { model, sessionId, nowMs, begunAtMs, replySeconds, expected } = facts;
  const times = facts.steering.windows?.openTimesAt(nowMs);
  const work = workNow({
    stage: stageOf(facts),
    window: times && windowAt(times, nowMs),
    own: model.hostsOf(sessionId),
    model: () => model,
    nowMs,
    begunAtMs,
    replySeconds,
    ...(expected && { expected }),
  });
  switch (work.kind) {
    case 'canaryEnded':
      return { decision: work.decision };
    case 'nothing':
      return { decision: decisionOfNoWork(work, []), againAtMs: nowMs + work.lookAgainMs };
    case 'work':
      return { decision: decideWork(facts, work), ...(times && inWindowOf(work, times, nowMs)) };
  }
};

const windowAt = (times: OpenTimes, nowMs: number): MaintenanceWindowNow => {
  const { opensAtMs, mayBeginUntilMs: closesAtMs } = times;
  if (isOpenAt({ opensAtMs, closesAtMs }, nowMs)) return { kind: 'open', times };
  return { kind: 'closed', reasonFor: (who) => opensReason(who, opensAtMs, nowMs), opensAtMs };
};

const inWindowOf = ({ held, lookAgainMs }: Work, { opensAtMs }: OpenTimes, nowMs: number) => ({
  againAtMs: nowMs + Math.max(1, Math.ceil(lookAgainMs)),
  inWindow: { opensAtMs, held: held.filter(({ waitingFor }) => waitingFor !== 'host') },
});

/** The model has the hosts as they are again afterwards. */
const decideWork = ({ model, decide }: SteeredFacts, work: Work): Decision => {
  if (!work.isAnyToWorkOn) return withHeld(nothingDecided, work);
  const givenBack = work.giveBack.flatMap((name) => model.hostByName.get(name) ?? []);
  const { hosts, heldBack } = withoutHeld({ hosts: givenBack, instances: [], groups: [], claims: [] }, work);
  model.holdBack(heldBack ?? []);
  for (const host of hosts) model.setHost(host);
  const decision = decide();
  for (const host of givenBack) model.setHost(host);
  model.holdBack([]);
  return withHeld(decision, work);
};

/** The state in which the session begins, with only the hosts of its canary where it has one. */
export const beginningOf = ({ model, sessionId, ...facts }: Omit<SteeredFacts, 'decide'>) => {
  const stage = stageOf({ model, sessionId, ...facts });
  const fleet = model.snapshot();
  return stateAfterLook(stage.kind === 'first' ? holdBack(fleet, stage.held) : fleet, sessionId);
};

const stageOf = ({ model, sessionId, nowMs, steering }: Omit<SteeredFacts, 'decide'>): CanaryStage => {
  if (steering.canary === undefined) return { kind: 'none' };
  const own = steering.canary.endedAtMs === undefined ? model.hostsOf(sessionId) : [];
  const choose = (count: number): readonly string[] => chooseCanary(model.snapshot(), { sessionId, nowMs })(count);
  const phases = own.flatMap(({ name, work }) => (work ? [{ name, phase: work.phase }] : []));
  return canaryStage({ ...steering.canary, nowMs, own: phases, choose });
};
