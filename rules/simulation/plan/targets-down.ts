/** Hosts that are down, where the instances of a session have no other host to go to outside of it. */
import { mayLeaveWithoutPlace } from '../../decisions/fleet/double-allocation';
import type { Host, Instance } from '../../decisions/fleet/fleet';
import { isStarting } from '../../decisions/fleet/host-work';
import type { FleetModel } from '../../decisions/model/fleet-model';
import { isAnyThatCouldTake, mayEverTake } from '../../decisions/model/without-other-host';
import { type Blocker, blocker } from '../../obstacles/blockers';

/**
 * @param own the hosts that the session has to maintain still
 * @param leaving the instances on them
 */
export const targetsDown = (
  { hosts, classes, capacity }: FleetModel,
  own: readonly Host[],
  leaving: readonly Instance[],
): readonly Blocker[] => {
  const names = new Set(own.map(({ name }) => name));
  const others = hosts.filter((host) => !names.has(host.name) && mayEverTake(host));
  const down = others.filter((host) => host.isDown === true || isStarting(host));
  if (down.length === 0) return [];
  const up = others.filter((host) => !down.includes(host));
  const isAnyOf = (some: readonly Host[], instance: Instance): boolean =>
    isAnyThatCouldTake({ hosts: some, classes, capacity }, instance);
  const waiting = leaving.filter((instance) => !mayLeaveWithoutPlace(instance) && !isAnyOf(up, instance));
  return down.flatMap((host) => {
    const count = waiting.filter((instance) => isAnyOf([host], instance)).length;
    return count === 0 ? [] : [blocker('target_down', { hostname: host.name, count })];
  });
};
