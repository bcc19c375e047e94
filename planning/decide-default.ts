import type { Decision, SessionView } from './decision';

export interface PlanningLimits {
  /** How often a host may be given back to break a deadlock before the session fails. */
  readonly releases: number;
}

export function decideDefault(_view: SessionView, _nowMs: number, _limits: PlanningLimits): Decision {
  throw new RangeError('not decided yet');
}
