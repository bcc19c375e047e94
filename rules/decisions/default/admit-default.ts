/**
 * Decides which instances of a host are admitted now, host by host (workflow `default`): each may move now, by the rule
 * that both workflows share (both-workflows/may-move-now.ts), and the whole rest of the host has a place, so that the
 * last one still fits. Every admission counts for those after it, and holds its place in the model.
 */
import { MovesNow } from '../both-workflows/may-move-now';
import type { SessionFacts } from '../both-workflows/session-facts';
import type { Admission } from '../decision';
import { noTarget } from '../fleet/double-allocation';
import type { Host } from '../fleet/fleet';
import { instancesToMoveAway, largestFirst } from '../model/host-content';
import { place } from '../model/placement';

export const admitDefault = (facts: SessionFacts, hosts: readonly Host[]): readonly Admission[] => {
  const moves = new MovesNow(facts);
  return hosts.flatMap((host) => admitFromHost(facts, moves, host));
};

const admitFromHost = ({ model, ready }: SessionFacts, moves: MovesNow, host: Host): readonly Admission[] => {
  // An instance that is still arriving needs a place already, but it moves on only when it has arrived.
  const instances = instancesToMoveAway(model, host.name).toSorted(largestFirst(model));
  const mark = model.capacity.mark();
  const placement = place({ model, instances });
  model.capacity.rollBack(mark);
  if (placement.kind === 'lacking') return [];
  return instances.flatMap((instance): readonly Admission[] => {
    const action = ready?.get(instance.id);
    if (!action || moves.whyNot(instance)) return [];
    const target = placement.targetOf.get(instance.id)?.name ?? noTarget;
    model.capacity.hold(target, instance);
    return [moves.admit(instance, { kind: 'move', target, action })];
  });
};
