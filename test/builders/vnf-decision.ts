import type { Decision, SessionView } from '../../planning/decision';
import { type VnfLimits, factsOf } from '../../planning/live/vnf-facts';
import { decideVnf } from '../../planning/vnf/decide-vnf';
import { withReasons } from '../../planning/vnf/vnf-waiting';

/** One decision of `vnf` on a snapshot, with its reasons: `planVnf` takes one after the other until nothing is left. */
export const vnfDecision = (view: SessionView, nowMs: number, limits: VnfLimits): Decision => {
  const facts = factsOf(view, nowMs, limits);
  return withReasons(facts, decideVnf(facts));
};
