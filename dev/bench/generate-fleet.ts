/** Makes fleets for measurements from a seed: the same request always gives the same fleet. */
import { createHash } from 'node:crypto';
import type { WireFleet, WireGroup, WireHost, WireInstance } from '../../clouds/simulated/fleet-schema';

export interface FleetToGenerate {
  /** Three of them are controllers, which hold no instances. */
  readonly hosts: number;
  readonly instances: number;
  readonly seed: number;
  /** `recovery_time` of every group, in seconds. */
  readonly recoverySeconds: number;
}

const controllers = 3;
const hostSize = { vcpus: 64, memory_mb: 256 * 1024 } as const;
/** The free capacity lets hosts be drained. */
const fullestShare = 0.85;
const mbPerVcpu = 4 * 1024;
const instanceVcpus = [2, 2, 4, 8] as const;
/** A pair has a limit of one; a larger group, with five members or more, has a limit of two. */
const groupSizes = [2, 2, 3, 4, 5, 6, 8] as const;
const groupsPerProject = 4;
const guesses = 24;

export type Random = () => number;

/** Numbers from 0 to 1 (mulberry32): small, and the same on every machine. */
export const randomFrom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

/** @throws RangeError for an empty list */
const oneOf = <T>(random: Random, list: readonly T[]): T => {
  const chosen = list[Math.floor(random() * list.length)];
  if (chosen === undefined) throw new RangeError('there is nothing to choose from');
  return chosen;
};

/** A UUID that stands for the name. */
const uuidOf = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const hostsOf = (count: number, random: Random): WireHost[] =>
  Array.from({ length: count }, (_, index) => ({
    maintain: true,
    maintenance_s: between(random, 600, 900),
    ...(index < controllers
      ? { name: `controller-${index}`, type: 'controller' as const, vcpus: 0, memory_mb: 0 }
      : { name: `compute-${index - controllers}`, type: 'compute' as const, ...hostSize }),
  }));

const groupOf = (number: number, size: number, { recoverySeconds }: FleetToGenerate): WireGroup => ({
  group_id: uuidOf(`group ${number}`),
  project_id: uuidOf(`project ${Math.floor(number / groupsPerProject)}`),
  group_name: `group-${number}`,
  anti_affinity_group: true,
  max_instances_per_host: 1,
  max_impacted_members: size < 5 ? 1 : 2,
  recovery_time: recoverySeconds,
  resource_mitigation: false,
});

/** Seconds that a manager has for its answer; zero: it is not asked. */
const leadSeconds = [0, 30, 30, 30] as const;
/** Far longer than every move: none is forced. */
const interruptionSeconds = 600;

const memberOf = (group: WireGroup, member: number, { host, random }: { host: string; random: Random }) => {
  const lead = oneOf(random, leadSeconds);
  return {
    instance_id: uuidOf(`${group.group_id} ${member}`),
    instance_name: `${group.group_name}-${member}`,
    project_id: group.project_id,
    group_id: group.group_id,
    host,
    migration_type: oneOf(random, ['LIVE_MIGRATE', 'LIVE_MIGRATE', 'MIGRATE'] as const),
    lead_time: lead,
    ready_s: 0,
    max_interruption_time: interruptionSeconds,
    resource_mitigation: false,
    move_s: between(random, 10, 60),
  };
};

/** Chooses a host with capacity and no member of the group yet: first by guessing, then by trying all hosts. */
class Placing {
  readonly #usedVcpus = new Map<string, number>();
  readonly #names: readonly string[];

  constructor(
    hosts: readonly WireHost[],
    private readonly random: Random,
  ) {
    this.#names = hosts.filter(({ type }) => type === 'compute').map(({ name }) => name);
  }

  /** @throws RangeError when no host has capacity */
  place(vcpus: number, taken: ReadonlySet<string>): string {
    const fits = (name: string): boolean =>
      !taken.has(name) && (this.#usedVcpus.get(name) ?? 0) + vcpus <= hostSize.vcpus * fullestShare;
    const guessed = Array.from({ length: guesses }, () => oneOf(this.random, this.#names)).find(fits);
    const host = guessed ?? this.#names.find(fits);
    if (host === undefined) throw new RangeError('so many instances do not fit on so few hosts: ask for fewer');
    this.#usedVcpus.set(host, (this.#usedVcpus.get(host) ?? 0) + vcpus);
    return host;
  }
}

/** @throws RangeError when the instances do not fit on the hosts */
export const generateFleet = (request: FleetToGenerate): WireFleet => {
  const random = randomFrom(request.seed);
  const hosts = hostsOf(request.hosts, random);
  const placing = new Placing(hosts, random);
  // one member on each host, and capacity for them on other hosts
  const largestGroup = Math.max(1, Math.floor((request.hosts - controllers) / 2));
  const groups: WireGroup[] = [];
  const instances: WireInstance[] = [];
  while (instances.length < request.instances) {
    const size = Math.min(oneOf(random, groupSizes), largestGroup, request.instances - instances.length);
    const group = groupOf(groups.length, size, request);
    const vcpus = oneOf(random, instanceVcpus);
    const taken = new Set<string>();
    for (let member = 0; member < size; member += 1) {
      const host = placing.place(vcpus, taken);
      taken.add(host);
      instances.push({ ...memberOf(group, member, { host, random }), vcpus, memory_mb: vcpus * mbPerVcpu });
    }
    groups.push(group);
  }
  const { hosts: hostCount, instances: instanceCount, seed } = request;
  return { name: `bench-${hostCount}-${instanceCount}-${seed}`, seed, hosts, groups, instances };
};
