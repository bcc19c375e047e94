/**
 * Judges a trace: at every instant no group has more members impacted than allowed, no host holds more than it has room
 * for or more of an anti-affinity group than it may, and nothing is on a host in maintenance or on its way there.
 * Each of these can begin to be wrong only when a move or a maintenance begins or an instance appears, so it is those
 * instants that are looked at.
 */
import type { Trace, TracedGroup, TracedInstance, TracedMove } from './trace';

/** The instance takes room on the host: it is there, or on its way there. */
interface Stay {
  readonly instance: TracedInstance;
  readonly host: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The instance counts as impacted: it moves, or its group recovers from that. */
interface Impact {
  readonly instanceId: string;
  readonly groupKey: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What was wrong in the trace, in words; empty when every rule held. */
export const violationsIn = (trace: Trace): string[] => {
  const stays = trace.instances.flatMap((instance) => staysOf(instance, movesOf(trace, instance)));
  const impacts = impactsIn(trace);
  const wrongAt = (ms: number): string[] => [
    ...overBudget(trace, impacts.filter(at(ms))),
    ...overfull(trace, stays.filter(at(ms))),
    ...tooClose(trace, stays.filter(at(ms))),
    ...disturbed(trace, stays.filter(at(ms)), ms),
  ];
  const found = instantsOf(trace).flatMap((ms) => wrongAt(ms).map((wrong) => `${new Date(ms).toISOString()} ${wrong}`));
  return [...moveMistakes(trace), ...found];
};

const at =
  (ms: number) =>
  ({ fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }): boolean =>
    fromMs <= ms && ms < untilMs;

const instantsOf = ({ moves, instances, maintenances }: Trace): number[] => {
  const begun = [
    ...moves.map(({ startedMs }) => startedMs),
    ...instances.flatMap(({ appearedMs }) => appearedMs ?? []),
    ...maintenances.map(({ fromMs }) => fromMs),
  ];
  return [...new Set(begun)].sort((one, other) => one - other);
};

const movesOf = ({ moves }: Pick<Trace, 'moves'>, { id }: TracedInstance): TracedMove[] =>
  moves.filter(({ instanceId }) => instanceId === id).sort((one, other) => one.startedMs - other.startedMs);

/** During a move both hosts hold the instance. */
const staysOf = (instance: TracedInstance, moves: readonly TracedMove[]): Stay[] => {
  const vanishedMs = instance.vanishedMs ?? Infinity;
  const stays: Stay[] = [];
  let here = { host: instance.host, fromMs: instance.appearedMs ?? -Infinity };
  for (const { target, startedMs, endedMs = Infinity, arrived } of moves) {
    if (!arrived) {
      stays.push({ instance, host: target, fromMs: startedMs, untilMs: Math.min(endedMs, vanishedMs) });
      continue;
    }
    stays.push({ instance, ...here, untilMs: endedMs });
    here = { host: target, fromMs: startedMs };
  }
  return [...stays, { instance, ...here, untilMs: vanishedMs }];
};

const impactsIn = ({ instances, groups, moves }: Trace): Impact[] => {
  const groupKeyOf = new Map(instances.map(({ id, groupKey }) => [id, groupKey]));
  const recoveryOf = new Map(groups.map(({ key, recoveryTimeMs }) => [key, recoveryTimeMs]));
  return moves.map(({ instanceId, startedMs, endedMs = Infinity }) => {
    const groupKey = groupKeyOf.get(instanceId) ?? '';
    return { instanceId, groupKey, fromMs: startedMs, untilMs: endedMs + (recoveryOf.get(groupKey) ?? 0) };
  });
};

const overBudget = ({ groups }: Trace, impacts: readonly Impact[]): string[] =>
  groups.flatMap(({ key, maxImpactedMembers }) => {
    const members = new Set(impacts.filter(({ groupKey }) => groupKey === key).map(({ instanceId }) => instanceId));
    if (members.size <= maxImpactedMembers) return [];
    return [
      `group ${key}: ${members.size} members impacted (${[...members].join(', ')}), ${maxImpactedMembers} allowed`,
    ];
  });

const overfull = ({ hosts }: Trace, stays: readonly Stay[]): string[] =>
  hosts.flatMap(({ name, vcpus, memoryMb }) => {
    const held = stays.filter(({ host }) => host === name).map(({ instance }) => instance);
    const heldVcpus = held.reduce((sum, instance) => sum + instance.vcpus, 0);
    const heldMemoryMb = held.reduce((sum, instance) => sum + instance.memoryMb, 0);
    if (heldVcpus <= vcpus && heldMemoryMb <= memoryMb) return [];
    return [`host ${name}: ${heldVcpus} of ${vcpus} vcpus and ${heldMemoryMb} of ${memoryMb} MB held`];
  });

const tooClose = ({ hosts, groups }: Trace, stays: readonly Stay[]): string[] => {
  const membersOn = (name: string, { key }: TracedGroup): number =>
    stays.filter(({ host, instance }) => host === name && instance.groupKey === key).length;
  return groups.flatMap((group) => {
    const { key, maxInstancesPerHost } = group;
    if (maxInstancesPerHost === undefined) return [];
    return hosts
      .filter(({ name }) => membersOn(name, group) > maxInstancesPerHost)
      .map(
        ({ name }) => `host ${name}: ${membersOn(name, group)} members of group ${key}, ${maxInstancesPerHost} allowed`,
      );
  });
};

const disturbed = ({ maintenances }: Trace, stays: readonly Stay[], ms: number): string[] =>
  maintenances
    .filter(at(ms))
    .flatMap(({ host }) => stays.filter((stay) => stay.host === host))
    .map(({ host, instance }) => `host ${host} is in maintenance, and holds instance ${instance.id}`);

/** An instance moves from where it is, and in one move at a time. */
const moveMistakes = (trace: Trace): string[] =>
  trace.instances.flatMap((instance) => {
    let here = instance.host;
    let freeMs = -Infinity;
    return movesOf(trace, instance).flatMap(({ source, target, startedMs, endedMs = Infinity, arrived }) => {
      const mistakes = [
        ...(startedMs < freeMs ? [`instance ${instance.id}: two moves at once`] : []),
        ...(source === here ? [] : [`instance ${instance.id}: moved from ${source}, but it is on ${here}`]),
      ];
      if (arrived) here = target;
      freeMs = endedMs;
      return mistakes;
    });
  });
