import type { Decision, SessionView } from '../../rules/planning/decision';
import type { VnfLimits } from '../../rules/planning/rolling/session-facts';
import { decideVnf } from '../../rules/planning/vnf/decide-vnf';
import { vnfFactsOf, withReasons } from '../../rules/planning/vnf/vnf-plan';

/** One decision of `vnf` on a snapshot, with its reasons: `planVnf` takes one after the other until nothing is left. */
export const vnfDecision = (view: SessionView, nowMs: number, limits: VnfLimits): Decision => {
  const facts = vnfFactsOf(view, nowMs, limits);
  return withReasons(facts, decideVnf(facts));
};
