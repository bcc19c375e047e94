/** Changes of the fleet by others while sessions run. No session is to blame for them, but they count from then on. */
import type { TracedGroup, TracedInstance, TraceEvent } from './trace';
import { type HostStanding, type InstanceStanding, standingOf, type World } from './world';

export const appear = (world: World, event: TraceEvent): void => {
  const facts = event['as'] as TracedInstance;
  const replaced = world.instances.get(String(event['replaces']));
  if (replaced?.move?.to === facts.host) replaced.move.isReplaced = true;
  world.instances.set(facts.id, standingOf(facts));
  arrive(world, facts, world.hosts.get(facts.host));
};

/** A move that it was on is over with it, and its group recovers; a question alone is settled. */
export const vanish = (world: World, _event: TraceEvent, instance: InstanceStanding): void => {
  if (instance.move) world.recover(instance);
  else if (instance.impact?.until === Infinity) instance.impact = undefined;
  instance.move = undefined;
  instance.leave = undefined;
  instance.isGone = true;
};

export const displace = (world: World, event: TraceEvent, instance: InstanceStanding): void => {
  instance.host = String(event['to']);
  arrive(world, instance.facts, world.hosts.get(instance.host));
};

export const changeLimits = (world: World, event: TraceEvent): void => {
  const group = event['as'] as TracedGroup;
  world.groups.set(group.id, group);
};

export const changeConstraints = (world: World, event: TraceEvent): void => {
  const facts = event['as'] as TracedInstance;
  const instance = world.instances.get(facts.id);
  if (instance) instance.facts = facts;
};

const arrive = (world: World, { id }: TracedInstance, host: HostStanding | undefined): void => {
  if (!host) return;
  if (host.maintainedSince !== undefined)
    world.bad('R5', `instance ${id} comes to ${host.facts.name}, which is in maintenance`);
  world.checkCapacity(host.facts.name);
};
