/**
 * Which instances of a host may move now, host by host (workflow `default`): each is ready, within its group's budget,
 * and the whole rest of the host has a place, so that the last one still fits. Every admission counts for those after
 * it, and holds its place in the model.
 */
import type { Admission } from '../decision';
import { noTarget } from '../fleet/double-allocation';
import type { Host } from '../fleet/fleet';
import { limitedBy } from '../fleet/limit-keys';
import { Budget } from '../model/budget';
import { instancesToMoveAway } from '../model/host-content';
import { largestFirst, place } from '../model/placement';
import type { SessionFacts } from '../rolling/session-facts';
import { whyNotNow } from '../rolling/waiting-reasons';

export const admitFrom = (facts: SessionFacts, hosts: readonly Host[]): readonly Admission[] => {
  const budget = new Budget(facts.model);
  return hosts.flatMap((host) => admitFromHost(facts, budget, host));
};

const admitFromHost = (facts: SessionFacts, budget: Budget, host: Host): readonly Admission[] => {
  const { model, ready } = facts;
  // One that is still arriving needs a place already, but it moves on only when it has arrived.
  const instances = instancesToMoveAway(model, host.name).toSorted(largestFirst);
  const mark = model.capacity.mark();
  const placement = place({ model, instances });
  model.capacity.rollBack(mark);
  if (placement.kind === 'lacking') return [];
  return instances.flatMap((instance): readonly Admission[] => {
    const action = ready?.get(instance.id);
    if (!model.isStaying(instance.id) || !action || whyNotNow({ facts, budget }, instance)) return [];
    const target = placement.targetOf.get(instance.id)?.name ?? noTarget;
    budget.impact(instance);
    model.capacity.hold(target, instance);
    return [{ kind: 'move', instanceId: instance.id, ...limitedBy(instance), source: instance.host, target, action }];
  });
};
