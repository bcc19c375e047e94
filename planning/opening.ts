/**
 * Which further hosts go under work: as many as can be emptied with what is free now, everything that still has to
 * leave the hosts under work counted first. So an order in which all of them can end always exists when a host is
 * opened.
 */
import type { Host, Instance } from './fleet';
import { compareText, groupOfKey, instancesOn } from './fleet-index';
import { instancesToMoveAway, isEmpty } from './host-content';
import { controllerUnderWork, isInPhase, isUnderWork } from './host-work';
import { type Target, place } from './placement';
import { shareOf } from './room';
import { instancesToAdmit } from './asking';
import { type VnfFacts, ownHosts } from './vnf-facts';

/** The hosts to open; empty ones first. */
export function hostsToOpen(facts: VnfFacts, targets: readonly Target[]): readonly Host[] {
  const own = ownHosts(facts);
  const cap = (facts.limits.maxParallelHosts ?? Infinity) - own.filter(isUnderWork).length;
  const waiting = own.filter(isInPhase('waiting'));
  const controller = controllerUnderWork(facts.live) ? undefined : waiting.find(({ type }) => type === 'controller');
  const empty = waiting.filter((host) => isEmpty(facts.live, host) && (host.type === 'compute' || host === controller));
  const open = empty.slice(0, Math.max(0, cap));
  const candidates = waiting.filter(
    (host) => !isEmpty(facts.live, host) && (host.type === 'compute' || host === controller),
  );
  return [...open, ...hostsToEmpty(facts, { candidates, targets, opened: open, most: cap - open.length })];
}

interface Choice {
  readonly candidates: readonly Host[];
  readonly targets: readonly Target[];
  readonly opened: readonly Host[];
  readonly most: number;
}

function hostsToEmpty(facts: VnfFacts, { candidates, targets, opened, most }: Choice): readonly Host[] {
  const { live } = facts;
  const mark = live.occupancy.mark();
  const chosen: Host[] = [];
  let left = targets.filter(({ host }) => !opened.includes(host));
  if (!placeRest(facts, left)) {
    live.occupancy.rollBack(mark);
    return [];
  }
  const queue = queuesOf(facts);
  const tried = new Set<Host>();
  while (chosen.length < most) {
    const next = candidates
      .filter((host) => !tried.has(host))
      .map((host) => ({ host, cost: costOf(facts, host, queue) }))
      .sort((one, other) => one.cost - other.cost || compareText(one.host.name, other.host.name))[0]?.host;
    if (!next) break;
    tried.add(next);
    const without = left.filter(({ host }) => host !== next);
    const instances = instancesToMoveAway(live, next.name);
    const here = live.occupancy.loadOf(next.name).free;
    const before = facts.live.occupancy.mark();
    // What was placed onto the candidate in this very plan cannot go there.
    if (plannedOnto(facts, next, here)) continue;
    const placement = place({ index: live, instances, targets: without, occupancy: live.occupancy });
    if (placement.kind === 'lacking') {
      live.occupancy.rollBack(before);
      continue;
    }
    left = without;
    chosen.push(next);
    for (const { groupKey } of instances) queue.set(groupKey, (queue.get(groupKey) ?? 0) + 1);
  }
  live.occupancy.rollBack(mark);
  return chosen;
}

function plannedOnto({ live }: VnfFacts, host: Host, free: { readonly vcpus: number }): boolean {
  const held = [...instancesOn(live, host.name)].reduce((sum, { vcpus }) => sum + vcpus, 0);
  const incoming = (live.incomingByHost.get(host.name) ?? []).reduce((sum, { vcpus }) => sum + vcpus, 0);
  const outgoing = 0;
  return host.vcpus - held - incoming - outgoing > free.vcpus;
}

function placeRest(facts: VnfFacts, targets: readonly Target[]): boolean {
  const { live } = facts;
  const rest: Instance[] = ownHosts(facts)
    .filter(isInPhase('emptying'))
    .flatMap(({ name }) => instancesToAdmit(facts, name));
  return place({ index: live, instances: rest, targets, occupancy: live.occupancy }).kind === 'placed';
}

/** Members of each group that are impacted or wait for it. */
function queuesOf(facts: VnfFacts): Map<string, number> {
  const queue = new Map<string, number>();
  for (const { groupKey } of facts.live.claimByInstance.values()) queue.set(groupKey, (queue.get(groupKey) ?? 0) + 1);
  for (const { name } of ownHosts(facts).filter(isInPhase('emptying'))) {
    for (const { groupKey } of instancesToAdmit(facts, name)) queue.set(groupKey, (queue.get(groupKey) ?? 0) + 1);
  }
  return queue;
}

function costOf({ live }: VnfFacts, host: Host, queue: ReadonlyMap<string, number>): number {
  const instances = instancesToMoveAway(live, host.name);
  const members = new Map<string, number>();
  for (const { groupKey } of instances) members.set(groupKey, (members.get(groupKey) ?? 0) + 1);
  let drain = 0;
  for (const [key, count] of members) {
    const group = groupOfKey(live, key);
    const ahead = queue.get(key) ?? 0;
    const rounds = (ahead + count) / group.maxImpactedMembers - 1;
    drain = Math.max(drain, rounds * (60 + group.recoveryTimeSeconds));
  }
  const load = instances.reduce((sum, instance) => sum + shareOf(instance, host), 0) / 2;
  return load + drain / 900;
}
