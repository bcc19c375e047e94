/** What no trace shows of a run: a decision that makes no sense, or a session that decides for ever. */
import type { VnfFacts } from '../../rules/decisions/both-workflows/session-facts';
import type { Decision } from '../../rules/decisions/decision';
import type { Reason } from '../../rules/reasons/reason';
import { withReasons } from '../../rules/steps/decide-all-vnf';
import { hostEventsOf } from '../../rules/steps/host-step';

const maxDecisions = 20_000;

export class WatchedDecisions {
  readonly problems: string[] = [];
  #decisions = 0;

  constructor(private readonly workflow: 'default' | 'vnf') {}

  watch(facts: VnfFacts, decision: Decision): void {
    this.#decisions += 1;
    if (this.#decisions > maxDecisions) throw new Error(`session ${facts.sessionId} decides for ever`);
    const { model, sessionId, limits } = facts;
    const busy = model.hostsOf(sessionId, 'emptying', 'maintaining', 'releasing').length;
    if (busy > (limits.maxParallelHosts ?? Infinity)) this.problems.push(`${busy} hosts are under work`);
    if (this.workflow === 'default') this.#checkReasons(facts, decision);
    else if (!hasNews(decision)) this.#checkAllReasons(facts, withReasons(facts, decision));
  }

  #checkAllReasons(facts: VnfFacts, decision: Decision): void {
    this.#checkReasons(facts, decision);
    const silent = withoutReason(facts, decision);
    if (silent.length > 0) this.problems.push(`no reason is given for ${silent.join(', ')}`);
  }

  #checkReasons(facts: VnfFacts, { lookAgainMs, waiting }: Decision): void {
    if (lookAgainMs < 50 || lookAgainMs > 60_000) this.problems.push(`looks again after ${lookAgainMs} ms`);
    const twice = waiting.length - new Set(waiting.map(({ who }) => who)).size;
    if (twice > 0) this.problems.push(`${twice} of ${JSON.stringify(waiting)} have several reasons`);
    const unclear = waiting.filter((one) => one.subject === '' || waitsForStranger(facts, one));
    if (unclear.length > 0) this.problems.push(`waits for nothing, or for a stranger: ${JSON.stringify(unclear)}`);
  }
}

const hasNews = (decision: Decision): boolean =>
  hostEventsOf(decision).length + decision.admit.length + (decision.reserve ?? []).length > 0;

/** Instances and hosts that do not go on, and have no reason to wait. */
const withoutReason = ({ model, sessionId }: VnfFacts, { waiting, next, failure }: Decision): readonly string[] => {
  if (next !== undefined || failure !== undefined) return [];
  const known = new Set(waiting.map(({ who }) => who));
  const staying = model.hostsOf(sessionId, 'emptying').flatMap(({ name }) => model.instancesOn(name));
  const toMove = staying.filter(({ id }) => model.isStaying(id)).map(({ id }) => id);
  const toDrain = model.hostsOf(sessionId, 'waiting').map(({ name }) => name);
  return [...toDrain, ...toMove].filter((name) => !known.has(name));
};

/** Nobody waits for the answer of a project that is not its own. */
const waitsForStranger = ({ model }: VnfFacts, { waitingFor, who, subject }: Reason): boolean => {
  const instance = model.instanceById.get(who);
  return waitingFor === 'answer' && instance !== undefined && instance.projectId !== subject;
};
