/**
 * Judges a trace by replaying it and counting what is there: budgets, capacity, anti-affinity, lead times, hosts under
 * work, completeness, physics, controllers. A member of a group counts as impacted from its own question on, which is
 * stricter than from its move on.
 */
import { appear, changeConstraints, changeLimits, displace, vanish } from './changes';
import { checkCompleteness, disable, enable, endMaintenance, startMaintenance } from './host-work';
import { endMove, startMove } from './moves';
import { begin, grant, notify, putOff, reply, withdraw } from './questions';
import type { Trace, TraceEvent, Violation } from './trace';
import { type HostStanding, type InstanceStanding, toleranceSeconds, World } from './world';

type OfInstance = (world: World, event: TraceEvent, instance: InstanceStanding) => void;
type OfHost = (world: World, event: TraceEvent, host: HostStanding) => void;

const ofInstance: ReadonlyMap<string, OfInstance> = new Map(
  Object.entries({
    ...{ begin, grant, notify, reply, withdraw, put_off: putOff },
    ...{ move_start: startMove, move_end: endMove, vanish, displace },
  }),
);
const ofHost: ReadonlyMap<string, OfHost> = new Map(
  Object.entries({ disable, enable, maintenance_start: startMaintenance, maintenance_end: endMaintenance }),
);
const ofFleet: ReadonlyMap<string, (world: World, event: TraceEvent) => void> = new Map(
  Object.entries({ appear, limits: changeLimits, constraints: changeConstraints }),
);

/** The violations; empty when every rule held. */
export const violationsIn = (trace: Trace): readonly Violation[] => {
  const world = new World(trace);
  for (const event of trace.events) take(world, event);
  if (!world.isDone) world.bad('R6', 'the trace has no done');
  checkCompleteness(world);
  return world.violations;
};

const take = (world: World, event: TraceEvent): void => {
  if (!Number.isFinite(event.t)) {
    world.bad('R7', `${event.event} has no time`);
    return;
  }
  if (event.t < world.t - toleranceSeconds) world.bad('R7', `time goes back to ${event.t}`);
  world.t = Math.max(world.t, event.t);
  if (world.isDone) world.bad('R7', `${event.event} comes after done`);
  else if (event.event === 'done') world.isDone = true;
  else handle(world, event);
};

const handle = (world: World, event: TraceEvent): void => {
  const aboutInstance = ofInstance.get(event.event);
  const aboutHost = ofHost.get(event.event);
  const aboutFleet = ofFleet.get(event.event);
  if (aboutInstance) forInstances(world, event, aboutInstance);
  else if (aboutHost) forHost(world, event, aboutHost);
  else if (aboutFleet) aboutFleet(world, event);
  else world.bad('R7', `nobody knows the event ${event.event}`);
};

const needed: Readonly<Record<string, readonly string[]>> = { move_start: ['from', 'to', 'action'], displace: ['to'] };

const forInstances = (world: World, event: TraceEvent, about: OfInstance): void => {
  const missing = (needed[event.event] ?? []).filter((field) => typeof event[field] !== 'string');
  if (missing.length > 0 || idsIn(event) === undefined) {
    world.bad('R7', `${event.event} lacks ${missing[0] ?? 'its instance'}`);
    return;
  }
  for (const id of idsIn(event) ?? []) forInstance(world, { event, id }, about);
};

interface Subject {
  readonly event: TraceEvent;
  readonly id: string;
}

/** An event about an instance that is gone was on its way when the instance went; but nothing may move it any more. */
const forInstance = (world: World, { event, id }: Subject, about: OfInstance): void => {
  const instance = world.instances.get(id);
  if (!instance || (instance.isGone && event.event === 'move_start')) {
    world.bad('R6', `${event.event} of instance ${id}, which is not there`);
  } else if (!instance.isGone) about(world, event, instance);
};

const idsIn = ({ instance, instances }: TraceEvent): readonly string[] | undefined => {
  if (Array.isArray(instances)) return instances.map(String);
  return typeof instance === 'string' ? [instance] : undefined;
};

const forHost = (world: World, event: TraceEvent, about: OfHost): void => {
  const { host: name } = event;
  const host = typeof name === 'string' ? world.hosts.get(name) : undefined;
  if (host) about(world, event, host);
  else if (typeof name === 'string') world.bad('R6', `${event.event} of host ${name}, which is not there`);
  else world.bad('R7', `${event.event} lacks its host`);
};
