/** The target that is found quickly is the one that a look at every host finds. */
import fc from 'fast-check';
import { hasCapacityFor, shareOf, usable } from '../../../../../rules/decisions/fleet/capacity';
import type { Instance } from '../../../../../rules/decisions/fleet/fleet';
import { isTarget, rankOf, type TargetRank } from '../../../../../rules/decisions/fleet/host-work';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { mayTakeIt } from '../../../../../rules/decisions/model/may-take-it';
import { aFleet, aGroup, aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';
import { pick, type Random, randomFrom } from '../../../../builders/random';

const mostHosts = 12;
const groups = [aGroup({ key: 'apart', maxInstancesPerHost: 1 }), aGroup({ key: 'any' })];
const sizes = [
  { vcpus: 6, memoryMb: 7000 },
  { vcpus: 7, memoryMb: 5000 },
  { vcpus: 6, memoryMb: 7001 },
];
/** The most vcpus and memory that any host has. */
const largest = [7, 7001];

const aModel = (random: Random): FleetModel => {
  const hosts = Array.from({ length: 3 + Math.floor(random() * mostHosts) }, (_, number) => {
    const size = sizes[number] ?? pick(sizes, random);
    const name = `host-${String(number)}`;
    return pick([aHost({ name, ...size }), aHostIn('waiting', name, size), aHostIn('maintained', name, size)], random);
  });
  const instances = hosts.flatMap(({ name }) =>
    Array.from({ length: Math.floor(random() * 4) }, (_, number) =>
      anInstance({ id: `${name}/${String(number)}`, host: name, ...someSize(random) }),
    ),
  );
  return new FleetModel(aFleet({ hosts, instances, groups }));
};

const someSize = (random: Random): { vcpus: number; memoryMb: number; groupKey: string } => ({
  vcpus: Math.floor(random() * 4),
  memoryMb: pick([0, 500, 1000, 2333], random),
  groupKey: pick(['apart', 'any'], random),
});

interface Look {
  readonly removed: ReadonlySet<string>;
  readonly worstRank: TargetRank;
}

/** Looks at all hosts: by rank, then by the capacity that is free, then by name. */
const byLookAtAll = (model: FleetModel, instance: Instance, { removed, worstRank }: Look): string | undefined => {
  const mayTake = mayTakeIt(model, model.capacity, instance);
  const freeOn = (name: string): number => shareOf(usable(model.capacity.loadOf(name).free), largest);
  return model.hosts
    .filter((host) => isTarget(host) && !removed.has(host.name) && rankOf(host) <= worstRank)
    .map((host) => ({ host, load: model.capacity.loadOf(host.name) }))
    .filter((target) => hasCapacityFor(target.load.free, model.capacity.sizeOf(instance)) && mayTake(target))
    .toSorted((one, other) => rankOf(one.host) - rankOf(other.host) || freeOn(one.host.name) - freeOn(other.host.name))
    .map(({ host }) => host.name)[0];
};

it('finds the same target as a look at every host, while places are held, taken back and hosts removed', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = randomFrom(seed);
      const model = aModel(random);
      const removed = new Set<string>();
      const before = new FleetModel(model.snapshot()).capacity.total;
      const mark = model.capacity.mark();
      for (let step = 0; step < 25; step += 1) {
        const host = pick(model.hosts, random).name;
        const instance = anInstance({ id: `new-${String(step)}`, host, ...someSize(random) });
        const worstRank = pick<TargetRank>([0, 1, 2], random);
        const expected = byLookAtAll(model, instance, { removed, worstRank });
        const search = { mayTake: mayTakeIt(model, model.capacity, instance), worstRank };
        expect(model.capacity.bestFor(instance, search)?.host.name).toBe(expected);
        if (expected !== undefined) model.capacity.hold(expected, instance);
        if (random() < 0.1) {
          const { name } = pick(model.hosts, random);
          removed.add(name);
          model.capacity.removeTarget(name);
        }
      }
      model.capacity.rollBack(mark);
      expect(model.capacity.total).toEqual(before);
    }),
    { numRuns: 300 },
  );
});
