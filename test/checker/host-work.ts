/** R5, R6 and R8 as far as they are about hosts. */
import type { TraceEvent } from './trace';
import { type HostStanding, toleranceSeconds, type World } from './world';

export const disable = (_world: World, _event: TraceEvent, host: HostStanding): void => {
  host.isDisabled = true;
};

export const enable = (world: World, _event: TraceEvent, host: HostStanding): void => {
  if (host.maintainedSince !== undefined) world.bad('R5', `host ${host.facts.name} is enabled during its maintenance`);
  host.isDisabled = false;
  host.isLeftOut = false;
};

export const startMaintenance = (world: World, _event: TraceEvent, host: HostStanding): void => {
  const { name, type } = host.facts;
  const holders = world.holders(name).map(({ facts }) => facts.id);
  if (!host.isDisabled) world.bad('R5', `host ${name} is maintained enabled`);
  if (holders.length > 0) world.bad('R5', `host ${name} is maintained, and holds ${holders.join(', ')}`);
  if (host.maintainedSince !== undefined) world.bad('R6', `host ${name} is in maintenance already`);
  const owners = world.sessions.filter(({ hosts }) => hosts.includes(name)).length;
  if (host.timesMaintained >= owners) {
    world.bad('R6', `host ${name} is maintained after ${host.timesMaintained} times, ${owners} sessions asked for it`);
  }
  if (type === 'controller') checkQuorum(world, name);
  host.maintainedSince = world.t;
};

const checkQuorum = (world: World, name: string): void => {
  for (const { facts, maintainedSince, isLeftOut } of world.hosts.values()) {
    if (facts.type !== 'controller' || facts.name === name) continue;
    if (maintainedSince !== undefined)
      world.bad('R8', `controllers ${facts.name} and ${name} are in maintenance at once`);
    if (isLeftOut) world.bad('R8', `controller ${name} is maintained while ${facts.name} is left out`);
  }
};

export const endMaintenance = (world: World, event: TraceEvent, host: HostStanding): void => {
  const { name, maintenanceSeconds = 0 } = host.facts;
  if (host.maintainedSince === undefined) {
    world.bad('R6', `host ${name} ends a maintenance that did not begin`);
    return;
  }
  const took = world.t - host.maintainedSince;
  host.maintainedSince = undefined;
  host.isLeftOut = event['broken'] === true;
  if (host.isLeftOut) return;
  if (took < maintenanceSeconds - toleranceSeconds) {
    world.bad('R5', `host ${name} is maintained within ${took} s, it takes ${maintenanceSeconds} s`);
  }
  host.timesMaintained += 1;
};

/** Checks that sessions which are done left nothing behind. Work of other sessions need not be complete. */
export const checkCompleteness = (world: World): void => {
  const wanted = world.sessions
    .filter(({ isDone }) => isDone)
    .flatMap(({ hosts, leftOut = [] }) => hosts.filter((name) => !leftOut.includes(name)));
  for (const name of new Set(wanted)) {
    if (world.hosts.get(name)?.timesMaintained === 0) world.bad('R6', `host ${name} is never maintained`);
  }
  if (world.sessions.every(({ isDone }) => isDone)) checkLeftOver(world);
};

const checkLeftOver = (world: World): void => {
  const leftOut = new Set(world.sessions.flatMap(({ leftOut = [] }) => leftOut));
  for (const { facts, isDisabled, maintainedSince } of world.hosts.values()) {
    if (isDisabled !== facts.disabled && !leftOut.has(facts.name))
      world.bad('R6', `host ${facts.name} ends ${isDisabled ? 'disabled' : 'enabled'}`);
    if (maintainedSince !== undefined) world.bad('R6', `host ${facts.name} stays in maintenance`);
  }
  for (const { facts, move } of world.present()) if (move) world.bad('R6', `instance ${facts.id} still moves`);
};
