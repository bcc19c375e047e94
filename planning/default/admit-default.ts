/**
 * Decides which instances of a host are admitted now, host by host (workflow `default`): each may move now, by the rule
 * that both workflows share (rolling/may-move-now.ts), and the whole rest of the host has a place, so that the last one
 * still fits. Every admission counts for those after it, and holds its place in the model.
 */
import type { Admission } from '../decision';
import { noTarget } from '../fleet/double-allocation';
import type { Host } from '../fleet/fleet';
import { Budget } from '../model/budget';
import { instancesToMoveAway } from '../model/host-content';
import { largestFirst, place } from '../model/placement';
import { countAdmission, type Now, whyNotNow } from '../rolling/may-move-now';
import type { SessionFacts } from '../rolling/session-facts';

export const admitDefault = (facts: SessionFacts, hosts: readonly Host[]): readonly Admission[] => {
  const now = { facts, budget: new Budget(facts.model) };
  return hosts.flatMap((host) => admitFromHost(now, host));
};

const admitFromHost = (now: Now, host: Host): readonly Admission[] => {
  const { model, ready } = now.facts;
  // An instance that is still arriving needs a place already, but it moves on only when it has arrived.
  const instances = instancesToMoveAway(model, host.name).toSorted(largestFirst);
  const mark = model.capacity.mark();
  const placement = place({ model, instances });
  model.capacity.rollBack(mark);
  if (placement.kind === 'lacking') return [];
  return instances.flatMap((instance): readonly Admission[] => {
    const action = ready?.get(instance.id);
    if (!action || whyNotNow(now, instance)) return [];
    const target = placement.targetOf.get(instance.id)?.name ?? noTarget;
    model.capacity.hold(target, instance);
    return [countAdmission(now, instance, { kind: 'move', target, action })];
  });
};
