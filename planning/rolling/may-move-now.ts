/**
 * Decides whether an instance may move now, for both workflows: it has recovered from its last move, and every budget
 * that counts it has a member left. For `default` its project must have answered too: `ready` holds the answers, by
 * questions/ready-by-answer.ts. `vnf` asks after admission, and has no `ready`. Whoever admits the instance
 * (default/admit-default.ts, vnf/admit-vnf.ts) finds its target.
 */
import type { Admission } from '../decision';
import type { Claim, Group, Instance } from '../fleet/fleet';
import { limitedBy } from '../fleet/limit-keys';
import type { Budget } from '../model/budget';
import type { SessionFacts } from './session-facts';

export type WhyNotNow =
  /** An instance has one open claim at most. */
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'answer' }
  | { readonly kind: 'budget'; readonly limit: Group };

export interface Now {
  readonly facts: SessionFacts;
  /** Counts what is admitted now. */
  readonly budget: Budget;
}

/** Undefined: it may move now, if it finds a target. */
export const whyNotNow = (
  { facts: { model, ready }, budget }: Now,
  instance: Pick<Instance, 'id' | 'groupKey' | 'furtherLimitKeys'>,
): WhyNotNow | undefined => {
  const claim = model.claimByInstance.get(instance.id);
  if (claim) return { kind: 'claim', claim };
  if (ready && !ready.has(instance.id)) return { kind: 'answer' };
  const limit = budget.spentLimit(instance);
  return limit && { kind: 'budget', limit };
};

/** Counts the instance as impacted from now on. @returns its admission */
export const countAdmission = (
  { budget }: Now,
  instance: Instance,
  how: Pick<Admission, 'kind' | 'target' | 'action'>,
): Admission => {
  budget.impact(instance);
  return { ...how, instanceId: instance.id, ...limitedBy(instance), source: instance.host };
};
