/**
 * Decides whether an instance may move now, for both workflows: it has recovered from its last move, its owner has not
 * put it off, and every budget that counts it has a member left. For `default` its project must have answered too:
 * `ready` holds the answers, by rules/questions/action-by-answer.ts. `vnf` asks after admission, and has no `ready`.
 * Whoever admits the instance (default/admit-default.ts, vnf/admit-vnf.ts) finds its target. The last look before its
 * action begins: limits/before-start.ts.
 */
import { releasedAtMs } from '../../owner-times/release';
import type { Admission } from '../decision';
import { isInFlight } from '../fleet/double-allocation';
import type { Claim, Group, Instance, Limited } from '../fleet/fleet';
import { addOrForget } from '../fleet/host-load';
import { limitedBy, limitKeysOf } from '../fleet/limit-keys';
import { costsNothing, isLeftToCloud } from '../limits/impact';
import { limitsOf } from '../limits/limits-of-instance';
import { isHeldByState } from './cannot-begin';
import type { SessionFacts } from './session-facts';

export type WhyNotNow =
  /** An instance has one open claim at most. */
  | { readonly kind: 'claim'; readonly claim: Claim }
  /** Nobody can move it in its present state. */
  | { readonly kind: 'state' }
  /** Its owner lets nobody impact it before that time. Milliseconds. */
  | { readonly kind: 'owner'; readonly untilMs: number }
  | { readonly kind: 'answer' }
  | { readonly kind: 'budget'; readonly limit: Group };

/** The moves that one decision admits: each counts for those after it. */
export class MovesNow {
  /** The admitted members of each group. */
  readonly #admitted = new Map<string, number>();

  constructor(private readonly facts: Pick<SessionFacts, 'model' | 'ready' | 'nowMs'>) {}

  /** Undefined: the instance may move now, if it finds a target. */
  whyNot(instance: Instance): WhyNotNow | undefined {
    const { model, ready, nowMs } = this.facts;
    const claim = model.claimByInstance.get(instance.id);
    if (claim) return { kind: 'claim', claim };
    if (isHeldByState(model, instance)) return { kind: 'state' };
    const untilMs = releasedAtMs(instance, nowMs);
    if (untilMs > nowMs) return { kind: 'owner', untilMs };
    if (ready && !ready.has(instance.id)) return { kind: 'answer' };
    if (costsNothing(instance)) return undefined;
    const limit = limitsOf(model, instance).find((one) => this.#membersLeftFor(one, instance) <= 0);
    return limit && { kind: 'budget', limit };
  }

  /** The number of further members of the group that may be impacted now. */
  membersLeft(groupKey: string): number {
    return this.facts.model.groups.membersLeft(groupKey) - (this.#admitted.get(groupKey) ?? 0);
  }

  #membersLeftFor(limit: Group, instance: Instance): number {
    const left = this.membersLeft(limit.key);
    return left <= 0 && isLeftToCloud(limit, instance) ? limit.maxImpactedMembers - this.#inFlight(limit.key) : left;
  }

  /** Members of the group that are asked or moving, and those that are admitted. */
  #inFlight(groupKey: string): number {
    const claims = [...this.facts.model.claimByInstance.values()].filter(isInFlight);
    return claims.filter((claim) => limitKeysOf(claim).includes(groupKey)).length + (this.#admitted.get(groupKey) ?? 0);
  }

  admit(instance: Instance, how: Pick<Admission, 'kind' | 'target' | 'action'>): Admission {
    if (!costsNothing(instance)) this.count(instance);
    return { ...how, instanceId: instance.id, ...limitedBy(instance), source: instance.host };
  }

  /** Counts it as impacted from now on, under all of its limits. */
  count(limited: Limited): void {
    for (const key of limitKeysOf(limited)) addOrForget(this.#admitted, key, 1);
  }
}
