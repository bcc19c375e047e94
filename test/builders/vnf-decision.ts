import type { VnfLimits } from '../../rules/decisions/both-workflows/session-facts';
import type { Decision, SessionView } from '../../rules/decisions/decision';
import { decideVnf } from '../../rules/decisions/vnf/decide-vnf';
import { vnfFactsOf, withReasons } from '../../rules/steps/decide-all-vnf';

/**
 * One decision of `vnf` on a snapshot, with its reasons: `decideAllVnf` takes one after the other until nothing is
 * left.
 */
export const vnfDecision = (view: SessionView, nowMs: number, limits: VnfLimits): Decision => {
  const facts = vnfFactsOf(view, nowMs, limits);
  return withReasons(facts, decideVnf(facts));
};
