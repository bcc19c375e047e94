import type { Decision, SessionView } from '../../planning/decision';
import type { VnfLimits } from '../../planning/rolling/session-facts';
import { decideVnf } from '../../planning/vnf/decide-vnf';
import { vnfFactsOf, withReasons } from '../../planning/vnf/vnf-plan';

/** One decision of `vnf` on a snapshot, with its reasons: `planVnf` takes one after the other until nothing is left. */
export const vnfDecision = (view: SessionView, nowMs: number, limits: VnfLimits): Decision => {
  const facts = vnfFactsOf(view, nowMs, limits);
  return withReasons(facts, decideVnf(facts));
};
