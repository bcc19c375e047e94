/**
 * Runs sessions of `vnf` in virtual time with one small part of rules/decisions/ replaced by a wrong one, and tells
 * which rules the checker finds broken.
 */
import { parseFleet } from '../../clouds/simulated/fleet-file';
import type * as DecideVnf from '../../rules/decisions/vnf/decide-vnf';
import type { FileFleet, FleetInstance } from '../../rules/simulation/file-fleet';
import type * as Simulate from '../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../rules/simulation/strategy';
import { aRandomFleetFile } from '../builders/a-random-fleet-file';
import { randomFrom } from '../builders/random';
import { violationsIn } from '../checker/check-trace';
import { simulatedTrace } from '../checker/simulated-trace';
import type { Rule } from '../checker/trace';

/** The result of a run: a broken rule, or that it never ended. */
export type Finding = Rule | 'never ends';

/** A module of rules/decisions/ by its name, and what is wrong of what it exports. */
export interface Seed {
  readonly module: string;
  readonly wrong: (right: object) => object;
}

/** These exports of the module are replaced. */
export const replace = <Module extends object>(module: string, wrong: (right: Module) => Partial<Module>): Seed => ({
  module,
  wrong: (right) => wrong(right as Module),
});

/** A run of these fleets takes some hundred decisions. */
const mostDecisions = 2_000;

class DecidesForEver extends Error {}

/** A run that decides for ever ends here, whichever bug is seeded. */
const countDecisions = ({ decideVnf }: Pick<typeof DecideVnf, 'decideVnf'>): Partial<typeof DecideVnf> => {
  let decisions = 0;
  return {
    decideVnf: (facts) => {
      decisions += 1;
      if (decisions > mostDecisions) throw new DecidesForEver();
      return decideVnf(facts);
    },
  };
};

/** Capacity is short of memory as well as of vcpus, and controllers have some that is not theirs to give. */
const fleetOf = (seed: number): FileFleet => {
  const shape = { computes: 8, controllers: 3, groups: 5, used: 0.6, silent: 0.2 };
  const file = aRandomFleetFile(shape, randomFrom(seed));
  const { instances, ...fleet } = parseFleet({
    ...file,
    hosts: file.hosts.map((host) => ({ ...host, vcpus: host.vcpus || 16, memory_mb: memoryMb })),
  });
  const constrained = instances.map((one) => withoutConstraints(one, fleet.groups[0]?.groupId));
  return withCloudGroup({ ...fleet, instances: constrained });
};

/** The cloud keeps some instances apart, of whatever groups: so few of them that there are hosts left for them. */
const withCloudGroup = (fleet: FileFleet): FileFleet => {
  const computes = fleet.hosts.filter(({ isCompute }) => isCompute).slice(0, -2);
  const members = computes.flatMap(
    ({ name }) => fleet.instances.find(({ host, constraints }) => host === name && constraints) ?? [],
  );
  const instanceIds = members.map(({ instanceId }) => instanceId);
  const limits = { antiAffinity: true, affinity: false, maxInstancesPerHost: 1 };
  const group = { groupId: 'of the cloud', groupName: 'apart', projectId: 'any', ...limits, instanceIds };
  const instances = fleet.instances.map((one) => (members.includes(one) ? { ...one, groupId: group.groupId } : one));
  return { ...fleet, serverGroups: [group], instances };
};

const memoryMb = 14_336;

/** Nobody stored any for the members of this group, and the cloud knows none: by flavor they are one, and silent. */
const withoutConstraints = (instance: FleetInstance, stored?: string): FleetInstance => {
  const hasOthers = instance.constraints && instance.constraints.groupId !== stored;
  return hasOthers ? instance : { ...inNoGroup(instance), flavor: 'any', readySeconds: null };
};

const inNoGroup = ({ constraints: _stored, groupId: _ofCloud, ...rest }: FleetInstance): FleetInstance => rest;

type Simulation = typeof Simulate.simulate;

const pathOf = (module: string): string => `../../rules/decisions/${module}`;
const counted = 'vnf/decide-vnf';

/** The simulation on decisions of its own, with the wrong exports; nothing is left of them for others. */
const simulateWith = (seed: Seed | undefined): Simulation => {
  const modules = [...new Set([counted, ...(seed ? [seed.module] : [])])];
  for (const module of modules) {
    jest.doMock(pathOf(module), () => {
      const right = jest.requireActual<typeof DecideVnf>(pathOf(module));
      const seeded = { ...right, ...(module === seed?.module && seed.wrong(right)) };
      return module === counted ? { ...seeded, ...countDecisions(seeded) } : seeded;
    });
  }
  const loaded: Simulation[] = [];
  jest.isolateModules(() => {
    loaded.push(jest.requireActual<typeof Simulate>('../../rules/simulation/simulate').simulate);
  });
  for (const module of modules) jest.dontMock(pathOf(module));
  return loaded[0]!;
};

const findingsOf = (fleet: FileFleet, simulate: Simulation): readonly Finding[] => {
  const limits = limitsOfStrategy('vnf', fleet);
  try {
    const { trace } = simulate(fleet, { limits });
    // All of these fleets can be maintained: what gives up is not complete.
    const run = { events: trace, isDone: true, impactShare: limits.defaultImpactShare };
    return violationsIn(simulatedTrace(fleet, run)).map(({ rule }) => rule);
  } catch (error) {
    if (error instanceof DecidesForEver) return ['never ends'];
    throw error;
  }
};

/** Some fleets, enough of them to give every rule its chance. */
const fleets = [1, 2, 3, 4, 5, 6].map(fleetOf);

/** The findings on the fleets, one after the other, until the expected one is among them. */
export const findings = (seed?: Seed, until?: Finding): readonly Finding[] => {
  const simulate = simulateWith(seed);
  const found = new Set<Finding>();
  for (const fleet of fleets) {
    for (const finding of findingsOf(fleet, simulate)) found.add(finding);
    if (until && found.has(until)) break;
  }
  return [...found];
};
