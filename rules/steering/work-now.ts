/**
 * Decides on which of its hosts a session may begin work now, before the rules of its workflow decide about them: its
 * pause comes first, then its canary, then its maintenance windows, then the times of owners. A step of the session
 * asks here (rules/steps/session-step.ts). An activity looks at the pause and the windows once more before it begins
 * anything: may-begin.ts.
 */
import { type Decision, nothingDecided } from '../decisions/decision';
import type { Host } from '../decisions/fleet/fleet';
import { isDone } from '../decisions/fleet/host-work';
import { untilNextLook } from '../decisions/look-again';
import type { FleetModel } from '../decisions/model/fleet-model';
import { canaryFirstReason, type CanaryStage } from './canary';
import { holdAlso } from './hold-back';
import type { Expectation } from './host-times';
import { lookAtPutOff } from './put-off';
import { canBeGivenBack, type InWindow, lookAtWindow, type OpenTimes } from './work-in-maintenance-window';

export type SteeringStage = CanaryStage | { readonly kind: 'paused' };

/**
 * closed: nothing begins until it opens; `opensAtMs` is Infinity where the opening cannot be worked out. open: only
 * what ends inside begins.
 */
export type MaintenanceWindowNow =
  { readonly kind: 'closed'; readonly opensAtMs: number } | { readonly kind: 'open'; readonly times: OpenTimes };

export interface SteeringNow extends Expectation {
  /** The time when the session has begun. */
  readonly begunAtMs: number;
  readonly stage: SteeringStage;
  /** undefined: the session may begin at any time. */
  readonly window: MaintenanceWindowNow | undefined;
  /** The session's hosts. */
  readonly own: readonly Host[];
  /** True where the owners of instances have set times. */
  readonly hasOwnerTimes: boolean;
  /** Asked for in an open window only, and where owners have set times. */
  readonly model: () => FleetModel;
}

/**
 * - canaryEnded: this is to be recorded, and nothing else is decided.
 * - nothing: nothing begins, for a reason that the session's row tells (rules/reasons/of-standstill.ts); the hosts to
 *   give back would not be back before the window closes.
 * - work: the rules of the workflow decide on the hosts that are not held back (hold-back.ts).
 */
export type WorkNow = { readonly kind: 'canaryEnded'; readonly decision: Decision } | NoWorkNow | Work;

export interface Work extends InWindow {
  readonly kind: 'work';
}

export interface NoWorkNow {
  readonly kind: 'nothing';
  readonly giveBack: readonly string[];
  /** The milliseconds until something begins by itself, or a host has to be given back; Infinity: never. */
  readonly lookAgainMs: number;
}

export const workNow = (steering: SteeringNow): WorkNow => {
  const { stage } = steering;
  switch (stage.kind) {
    case 'paused':
      return noWork(steering, Infinity);
    case 'ended': {
      const { pauseBecause } = stage;
      const canaryEnded = pauseBecause === undefined ? {} : { pauseBecause };
      return { kind: 'canaryEnded', decision: { ...nothingDecided, canaryEnded, lookAgainMs: 1 } };
    }
    case 'waiting':
      return noWork(steering, stage.untilMs);
    case 'first': {
      const held = new Set(stage.held);
      const work = workInWindow({ ...steering, own: steering.own.filter(({ name }) => !held.has(name)) });
      if (work.kind === 'nothing') return work;
      return { ...work, held: [...work.held, ...stage.held.map((who) => canaryFirstReason(who, stage.names))] };
    }
    case 'none':
      return workInWindow(steering);
  }
};

const workInWindow = (steering: SteeringNow): NoWorkNow | Work => {
  const { window } = steering;
  if (window?.kind === 'closed') return noWork(steering, window.opensAtMs);
  const work: Work =
    window === undefined
      ? { kind: 'work', held: [], giveBack: [], isAnyToWorkOn: true, lookAgainMs: Infinity }
      : { kind: 'work', ...lookAtWindow({ ...steering, times: window.times, model: steering.model() }) };
  return steering.hasOwnerTimes ? besidePutOff(steering, work) : work;
};

/** A host that waits for its owner as well as for a window waits for the window first. */
const besidePutOff = (steering: SteeringNow, work: Work): Work => {
  const putOff = lookAtPutOff({ ...steering, model: steering.model() });
  const held = holdAlso(work, putOff);
  const names = new Set(held.held.map(({ who }) => who));
  const left = steering.own.filter((host) => !isDone(host.work) && host.work?.phase !== 'releasing');
  return {
    ...held,
    isAnyToWorkOn: work.isAnyToWorkOn && (left.length === 0 || left.some(({ name }) => !names.has(name))),
    giveBack: [...new Set([...work.giveBack, ...putOff.giveBack])],
    lookAgainMs: Math.min(held.lookAgainMs, putOff.lookAgainMs),
  };
};

/** A host that cannot be back before the window closes is given back all the same. */
const noWork = (steering: SteeringNow, untilMs: number): NoWorkNow => {
  const { window, nowMs } = steering;
  const isOpen = window?.kind === 'open';
  const look = isOpen ? lookAtWindow({ ...steering, times: window.times, model: steering.model() }) : undefined;
  const closing = window?.kind === 'closed' ? steering.own.filter(canBeGivenBack).map(({ name }) => name) : [];
  const lookAgainMs = Math.min(untilMs - nowMs, look?.lookAgainMs ?? Infinity);
  return { kind: 'nothing', giveBack: look?.giveBack ?? closing, lookAgainMs };
};

/** The decision of a session that begins nothing. */
export const decisionOfNoWork = ({ giveBack, lookAgainMs }: NoWorkNow): Decision => ({
  ...nothingDecided,
  giveBackForTime: giveBack,
  lookAgainMs: untilNextLook([lookAgainMs]),
});
