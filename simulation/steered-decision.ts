/**
 * Decides for a session in virtual time within its canary and its maintenance windows, in the order in which the
 * service does (activities/decisions/decide.ts), by the same rules (planning/rolling).
 */
import { type Decision, nothingDecided } from '../planning/decision';
import type { ExpectedTimes } from '../planning/fleet/expected-times';
import type { Fleet, Host, Waiting } from '../planning/fleet/fleet';
import type { FleetModel } from '../planning/model/fleet-model';
import { stateAfterLook } from '../planning/rolling/beginning';
import { type Canary, type CanaryStage, canaryStage, chooseCanary, withCanaryHeld } from '../planning/rolling/canary';
import { holdBack } from '../planning/rolling/hold-back';
import {
  canBeGivenBack,
  isOpenAt,
  lookAtWindow,
  type OpenTimes,
  withHeld,
  withoutHeld,
} from '../planning/rolling/work-in-window';

/** The controls of a session that bound its decisions. */
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
  readonly steering: DecisionSteering;
  /** The seconds that a project has for its reply when no constraints say it. */
  readonly replySeconds: number;
  /** Left out: as if nothing was seen. */
  readonly expected?: ExpectedTimes;
  /** Decides on the facts of the model, as it is when this is called. */
  readonly decide: () => Decision;
}

export interface SteeredDecision {
  readonly decision: Decision;
  /** When to decide again, whatever happens before. */
  readonly againAtMs?: number;
  /** Of a window that is open: since when, and why each host waits that would not be back in time. */
  readonly inWindow?: { readonly opensAtMs: number; readonly held: readonly Waiting[] };
}

export const decideSteered = (facts: SteeredFacts): SteeredDecision => {
  const stage = stageOf(facts);
  switch (stage.kind) {
    case 'none':
      return decideAtAnyTime(facts);
    case 'first': {
      const held = heldBy(facts.model, (fleet) => holdBack(fleet, stage.held), stage.held);
      const decided = withHosts(facts.model, held, () => decideAtAnyTime(facts));
      return { ...decided, decision: withCanaryHeld(decided.decision, stage) };
    }
    case 'ended': {
      const { pauseBecause } = stage;
      return { decision: { ...nothingDecided, canaryEnded: pauseBecause === undefined ? {} : { pauseBecause } } };
    }
    case 'waiting':
      return { decision: nothingDecided, againAtMs: stage.untilMs };
  }
};

/** The state in which the session begins, with only the hosts of its canary where it has one. */
export const beginningOf = ({ model, sessionId, ...facts }: Omit<SteeredFacts, 'decide'>) => {
  const stage = stageOf({ model, sessionId, ...facts });
  const fleet = model.snapshot();
  return stateAfterLook(stage.kind === 'first' ? holdBack(fleet, stage.held) : fleet, sessionId);
};

const stageOf = ({ model, sessionId, nowMs, steering }: Omit<SteeredFacts, 'decide'>): CanaryStage => {
  if (steering.canary === undefined) return { kind: 'none' };
  const own = model.hostsOf(sessionId).flatMap(({ name, work }) => (work ? [{ name, phase: work.phase }] : []));
  const choose = (count: number): readonly string[] => chooseCanary(model.snapshot(), { sessionId, nowMs })(count);
  return canaryStage({ ...steering.canary, nowMs, own, choose });
};

const decideAtAnyTime = (facts: SteeredFacts): SteeredDecision => {
  const times = facts.steering.windows?.openTimesAt(facts.nowMs);
  return times === undefined ? { decision: facts.decide() } : decideInWindow(facts, times);
};

const decideInWindow = (facts: SteeredFacts, times: OpenTimes): SteeredDecision => {
  const { model, sessionId, nowMs, replySeconds, expected } = facts;
  if (!isOpenAt(times, nowMs)) {
    const giveBack = model.hostsOf(sessionId).filter(canBeGivenBack);
    return {
      decision: { ...nothingDecided, giveBack: giveBack.map(({ name }) => name) },
      againAtMs: times.opensAtMs,
    };
  }
  const inWindow = lookAtWindow({ model, sessionId, nowMs, times, replySeconds, ...(expected && { expected }) });
  const names = [...inWindow.held.map(({ who }) => who), ...inWindow.giveBack];
  const held = heldBy(model, (fleet) => withoutHeld(fleet, inWindow), names);
  const decision = inWindow.isAnyToWorkOn ? withHosts(model, held, facts.decide) : nothingDecided;
  return {
    decision: withHeld(decision, inWindow),
    againAtMs: nowMs + Math.max(1, Math.ceil(inWindow.lookAgainMs)),
    inWindow: { opensAtMs: times.opensAtMs, held: inWindow.held },
  };
};

/** The hosts of these names as the decision is to see them. */
const heldBy = (
  { hostByName }: FleetModel,
  hold: (fleet: Fleet) => Fleet,
  names: readonly string[],
): readonly Host[] => {
  const hosts = names.flatMap((name) => hostByName.get(name) ?? []);
  return hold({ hosts, instances: [], groups: [], claims: [] }).hosts;
};

/** Puts the hosts in place of those of the same names while it decides. */
const withHosts = <T>(model: FleetModel, hosts: readonly Host[], decide: () => T): T => {
  const before = hosts.flatMap(({ name }) => model.hostByName.get(name) ?? []);
  for (const host of hosts) model.setHost(host);
  const decided = decide();
  for (const host of before) model.setHost(host);
  return decided;
};
