/** Which hosts an instance may go to, capacity apart. */
import type { Instance, Refusal } from '../fleet/fleet';
import type { GroupsByKey } from '../fleet/limit-keys';
import { limitAgainst, limitsOf } from '../limits/limits-of-instance';
import type { Target } from './fleet-capacity';

/** What the model of a fleet knows about it. */
export interface KnownLimits extends GroupsByKey {
  /** Hosts that the cloud refused to the instance. */
  refusalsOf(instanceId: string): readonly Refusal[];
}

/** True when a target may take it, capacity apart: by all of its limits, and by the refusals of the cloud. */
export const mayTakeIt = (model: KnownLimits, instance: Instance): ((target: Target) => boolean) => {
  const limits = limitsOf(model, instance);
  const refused = new Set(model.refusalsOf(instance.id).map(({ target }) => target));
  return ({ host, load }) =>
    host.name !== instance.host && !refused.has(host.name) && limitAgainst(limits, load.membersByGroup) === undefined;
};
