/** Targets that are kept by the room they have left answer as a search through all of them does. */
import fc from 'fast-check';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import {
  type Target,
  mayTakeIt,
  bestRank,
  bestTarget,
  targetsOf,
  worstRank,
} from '../../../../planning/limits/placement';
import { aFleet, aGroup, aHost, aHostIn, anInstance } from '../../../builders/a-fleet';
import { type Random, pick, randomFrom } from '../../../builders/random';

const mostHosts = 12;
const groups = [aGroup({ key: 'apart', maxInstancesPerHost: 1 }), aGroup({ key: 'any' })];

const aLiveFleet = (random: Random): LiveFleet => {
  const hosts = Array.from({ length: 2 + Math.floor(random() * mostHosts) }, (_, number) => {
    const size = pick(
      [
        { vcpus: 6, memoryMb: 7000 },
        { vcpus: 7, memoryMb: 5000 },
        { vcpus: 6, memoryMb: 7001 },
      ],
      random,
    );
    const name = `host-${String(number)}`;
    return pick([aHost({ name, ...size }), aHostIn('waiting', name, size), aHostIn('maintained', name, size)], random);
  });
  const instances = hosts.flatMap(({ name }) =>
    Array.from({ length: Math.floor(random() * 4) }, (_, number) =>
      anInstance({ id: `${name}/${String(number)}`, host: name, ...someSize(random) }),
    ),
  );
  return new LiveFleet(aFleet({ hosts, instances, groups }), 0);
};

const someSize = (random: Random): { vcpus: number; memoryMb: number; groupKey: string } => ({
  vcpus: Math.floor(random() * 4),
  memoryMb: pick([0, 500, 1000, 2333], random),
  groupKey: pick(['apart', 'any'], random),
});

/** Answers like a list of all hosts in the index. */
const byList = (live: LiveFleet, withdrawn: ReadonlySet<string>): readonly Target[] => {
  const indexed = live.hosts.filter(({ name }) => !withdrawn.has(name));
  return targetsOf({ hosts: indexed }, live.occupancy);
};

it('finds the same target as a search through the list, while places are held, taken back and hosts withdrawn', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = randomFrom(seed);
      const live = aLiveFleet(random);
      const withdrawn = new Set<string>();
      const mark = live.occupancy.mark();
      for (let step = 0; step < 25; step += 1) {
        const instance = anInstance({
          id: `new-${String(step)}`,
          host: pick(live.hosts, random).name,
          ...someSize(random),
        });
        const mostRank = pick([bestRank, worstRank - 1, worstRank], random);
        const list = byList(live, withdrawn).filter(({ rank }) => rank <= mostRank);
        const expected = bestTarget(live, instance, list)?.host.name;
        const allows = mayTakeIt(live, instance);
        expect(live.targets.bestFor(instance, { allows, mostRank })?.host.name).toBe(expected);
        if (expected !== undefined) live.occupancy.hold(expected, instance);
        const other = pick(live.hosts, random);
        if (random() < 0.1 && !withdrawn.has(other.name)) {
          withdrawn.add(other.name);
          live.targets.withdraw(other);
        }
      }
      live.occupancy.rollBack(mark);
      live.targets.restore();
      expect(live.targets.room).toEqual(new LiveFleet(live.fleet, 0).targets.room);
    }),
    { numRuns: 300 },
  );
});
