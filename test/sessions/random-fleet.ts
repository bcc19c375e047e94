import type { Fleet, Group, Host, Instance } from '../../rules/decisions/fleet/fleet';
import { isWithoutConstraints } from '../../rules/decisions/limits/impact';
import {
  aGroup,
  aHost,
  anInstance,
  anotherSessionId,
  aSessionId,
  nobodyTold,
  ofTheCloud,
  someWork,
} from '../builders/a-fleet';
import { pick, type Random } from '../builders/random';

export interface FleetShape {
  readonly seed: number;
  readonly computes: number;
  readonly controllers: number;
  /** Hosts that are controllers and computes. */
  readonly mixed: number;
  readonly outside: number;
  readonly disabledBefore: number;
  readonly groups: number;
  /** Share of the groups that have anti-affinity. */
  readonly apart: number;
  /** Members of those share hosts all the same, at first. */
  readonly crowded: boolean;
  /** Share of the fleet's vcpus that is used. */
  readonly used: number;
  readonly sessions: 1 | 2;
}

/** A fleet that breaks no constraint at its start unless it is crowded, every host of a session waiting. */
export const randomFleet = (shape: FleetShape, random: Random): Fleet => {
  const groups = Array.from({ length: shape.groups }, (_, number) => randomGroup(number, shape.apart, random));
  const hosts = randomHosts(shape, random);
  const instances = randomInstances({ ...shape, hosts, groups }, random);
  return { hosts, ...withCloudGroups({ groups, instances }, shape.apart, random), claims: [] };
};

/** The cloud keeps some apart whatever their groups say: of several groups, each from whoever is not beside it now. */
const withCloudGroups = (
  { groups, instances }: Pick<Fleet, 'groups' | 'instances'>,
  apart: number,
  random: Random,
): Pick<Fleet, 'groups' | 'instances'> => {
  if (random() >= apart) return { groups, instances };
  const limit = aGroup({
    key: 'of the cloud',
    maxImpactedMembers: Infinity,
    maxInstancesPerHost: 1,
    keptBy: ofTheCloud,
  });
  const held = new Set<string>();
  const limited = instances.map((instance) => {
    if (held.has(instance.host) || random() < 0.5) return instance;
    held.add(instance.host);
    return { ...instance, furtherLimitKeys: [limit.key] };
  });
  return { groups: [...groups, limit], instances: limited };
};

/** Every sixth instance has no stored constraints. */
const randomGroup = (number: number, apart: number, random: Random): Group => {
  const key = `group-${number}`;
  return random() < 1 / 6 ? aGroup({ key, keptBy: nobodyTold }) : constrainedGroup(key, apart, random);
};

const constrainedGroup = (key: string, apart: number, random: Random): Group =>
  aGroup({
    key,
    maxImpactedMembers: pick([1, 1, 2, 3], random),
    recoveryTimeSeconds: pick([0, 0, 30, 120], random),
    ...(random() < apart && { maxInstancesPerHost: pick([1, 1, 2], random) }),
  });

const randomHosts = (shape: FleetShape, random: Random): Host[] => {
  const kinds = [
    ...Array.from({ length: shape.computes }, () => ({ type: 'compute', isCompute: true }) as const),
    ...Array.from({ length: shape.controllers }, () => ({ type: 'controller', isCompute: false }) as const),
    ...Array.from({ length: shape.mixed }, () => ({ type: 'controller', isCompute: true }) as const),
  ];
  return kinds.map((kind, number) =>
    aHost({
      ...kind,
      name: `host-${String(number).padStart(2, '0')}`,
      vcpus: pick([8, 16], random),
      memoryMb: pick([16_384, 32_768], random),
      enabled: number >= shape.disabledBefore,
      ...(number < kinds.length - shape.outside && {
        work: someWork({ sessionId: shape.sessions === 2 && number % 2 === 1 ? anotherSessionId : aSessionId }),
      }),
    }),
  );
};

interface Ingredients extends Pick<FleetShape, 'used' | 'crowded'> {
  readonly hosts: readonly Host[];
  readonly groups: readonly Group[];
}

const randomInstances = ({ hosts, groups, used, crowded }: Ingredients, random: Random): Instance[] => {
  const instances: Instance[] = [];
  for (const host of hosts.filter(({ isCompute }) => isCompute)) {
    const free = { vcpus: host.amounts['VCPU']! * used, memoryMb: host.amounts['MEMORY_MB']! * used };
    for (let tries = 0; tries < 8; tries += 1) {
      const group = pick(groups, random);
      const size = { vcpus: pick([0, 1, 2, 4], random), memoryMb: pick([1024, 2048, 8192], random) };
      const members = instances.filter((one) => one.host === host.name && one.groupKey === group.key).length;
      if (size.vcpus > free.vcpus || size.memoryMb > free.memoryMb) continue;
      if (!crowded && members >= (group.maxInstancesPerHost ?? Infinity)) continue;
      free.vcpus -= size.vcpus;
      free.memoryMb -= size.memoryMb;
      const place = { host: host.name, groupKey: group.key, projectId: `project of ${group.key}` };
      const asking = isWithoutConstraints(group) ? {} : { leadTimeSeconds: pick([0, 10, 60], random) };
      instances.push(anInstance({ ...size, ...place, ...asking, id: `instance-${instances.length}` }));
    }
  }
  return instances;
};
