import type { Fleet, Host } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { FullRehearsal } from '../../../../planning/opening/full-rehearsal';
import { type KnownOrders, rehearsedOrder } from '../../../../planning/opening/rehearsed-order';
import type { VnfFacts } from '../../../../planning/live/vnf-facts';
import { aFleet, aGroup, aHost, aHostIn, aSessionId, anInstance } from '../../../builders/a-fleet';

const limits = { releases: 2, defaultImpactShare: 0.25 };
const factsOf = (fleet: Partial<Fleet>): VnfFacts => {
  const live = new LiveFleet(aFleet(fleet), 0);
  return { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs: 0, limits };
};

const short = [1, 2].map((number) => aHostIn('waiting', `short-${number}`, { expectedMaintenanceSeconds: 300 }));
const long = aHostIn('waiting', 'long', { expectedMaintenanceSeconds: 900 });
const spare = aHost({ name: 'spare' });
const waiting = [...short, long];
const groups = [aGroup({ maxImpactedMembers: 9 })];
/** The spare host takes two of them; the third waits for a host that is back. */
const instances = waiting.map(({ name }) => anInstance({ id: `on ${name}`, host: name, vcpus: 8, memoryMb: 16_384 }));
const first: KnownOrders = { planned: waiting, before: undefined };
const names = (hosts: readonly Host[] = []): readonly string[] => hosts.map(({ name }) => name);

/** How many of them, at most, come in the same order in both. */
function longestInCommon(one: readonly number[], other: readonly number[]): number {
  const places = other.map((item) => one.indexOf(item));
  const lengths: number[] = [];
  places.forEach((place, at) => {
    lengths.push(
      1 + Math.max(0, ...lengths.filter((_, earlier) => (places[earlier] ?? Infinity) < place && earlier < at)),
    );
  });
  return Math.max(0, ...lengths);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('rehearsedOrder', () => {
  it('puts a long maintenance beside short ones, not after them', () => {
    const order = rehearsedOrder(factsOf({ hosts: [...waiting, spare], instances, groups }), first);
    expect(names(order).toSorted()).toEqual(names(waiting).toSorted());
    expect(names(order).slice(0, 2)).toContain('long');
  });

  it('is the same for the same facts', () => {
    const orders = [0, 1].map(() => rehearsedOrder(factsOf({ hosts: [...waiting, spare], instances, groups }), first));
    expect(orders[0]).toEqual(orders[1]);
  });

  it('is as planned where there is nothing to order', () => {
    expect(
      rehearsedOrder(factsOf({ hosts: [long, spare], instances: [], groups }), { planned: [long], before: undefined }),
    ).toEqual([long]);
  });

  it.each(['found before', 'planned now'])(
    'goes on from the order that was %s where that is the better one',
    (what) => {
      const planned = Array.from({ length: 14 }, (_, number) => aHostIn('waiting', `host-${number}`));
      const before = planned.toReversed();
      const facts = factsOf({ hosts: [...planned, spare], groups });
      const orderOf = (hosts: readonly Host[]): readonly number[] =>
        hosts.map((host) => facts.live.hosts.indexOf(host));
      const better = orderOf(what === 'found before' ? before : planned);
      const played = jest.spyOn(FullRehearsal.prototype, 'play');
      played.mockImplementation((order) => ({ order, cost: order.join() === better.join() ? 1 : 2 }));
      expect(orderOf(rehearsedOrder(facts, { planned, before }))).toEqual(better);
      // Two known orders, then a change of one of them: a host taken out and put elsewhere moves the others by one.
      const [, , third = []] = played.mock.calls.map(([order]) => order);
      const lengthInCommon = longestInCommon(better, third);
      expect(lengthInCommon).toBeGreaterThanOrEqual(better.length - 2);
    },
  );

  it('is looked for in many more plays the first time', () => {
    const hosts = Array.from({ length: 16 }, (_, number) => aHostIn('waiting', `host-${number}`));
    const played = jest.spyOn(FullRehearsal.prototype, 'play');
    rehearsedOrder(factsOf({ hosts: [...hosts, spare], groups }), { planned: hosts, before: undefined });
    expect(played).toHaveBeenCalledTimes(1_600);
  });

  it('is as planned where the best one, played once more, is no better', () => {
    const planned = Array.from({ length: 14 }, (_, number) => aHostIn('waiting', `host-${number}`));
    const facts = factsOf({ hosts: [...planned, spare], groups });
    const costs = new Map<string, number>();
    jest.spyOn(FullRehearsal.prototype, 'play').mockImplementation((order) => {
      const cost = costs.get(order.join()) ?? (costs.size === 0 ? 2 : 1);
      costs.set(order.join(), 3);
      return { order, cost };
    });
    expect(rehearsedOrder(facts, { planned, before: undefined })).toEqual(planned);
  });

  it('is looked for in fewer plays than were guessed, where most take much longer than the first', () => {
    const planned = Array.from({ length: 14 }, (_, number) => aHostIn('waiting', `host-${number}`));
    const facts = factsOf({ hosts: [...planned, spare], groups });
    const played = jest.spyOn(FullRehearsal.prototype, 'play');
    played.mockImplementation((order) => ({ order, cost: 1 }));
    const steps = jest.spyOn(FullRehearsal.prototype, 'steps', 'get');
    steps.mockImplementation(() => (played.mock.calls.length > 2 ? 10_000 : 10));
    rehearsedOrder(facts, { planned, before: planned });
    // Twice 60,000 steps, a little less for the cloud's hosts; the last is the best once more.
    expect(played).toHaveBeenCalledTimes(2 + 11 + 1);
  });

  it('is looked for in half as many plays where the cloud has 160 hosts more', () => {
    const planned = Array.from({ length: 14 }, (_, number) => aHostIn('waiting', `host-${number}`));
    const plays = [0, 160].map((more) => {
      const rest = Array.from({ length: more }, (_, number) => aHost({ name: `rest-${number}` }));
      const facts = factsOf({ hosts: [...planned, spare, ...rest], groups });
      const played = jest.spyOn(FullRehearsal.prototype, 'play').mockImplementation((order) => ({ order, cost: 1 }));
      jest.spyOn(FullRehearsal.prototype, 'steps', 'get').mockReturnValue(3_000);
      rehearsedOrder(facts, { planned, before: planned });
      const count = played.mock.calls.length;
      played.mockClear();
      return count;
    });
    expect(plays).toEqual([18, 9]);
  });

  it.each([
    { each: 1, most: 40, least: 36 },
    { each: 300, most: 8, least: 5 },
  ])('is looked for in fewer plays the more happens in one: $each instances a host', ({ each, most, least }) => {
    const hosts = Array.from({ length: 14 }, (_, number) => aHostIn('waiting', `host-${number}`));
    const many = hosts.flatMap(({ name }) =>
      Array.from({ length: each }, (_, number) =>
        // In groups of dozens: what long queues take is told of plays themselves.
        anInstance({
          id: `${number} on ${name}`,
          host: name,
          groupKey: `${number % 10}/${name}`,
          vcpus: 0,
          memoryMb: 0,
        }),
      ),
    );
    const apart = [...new Set(many.map(({ groupKey }) => groupKey))].map((key) => aGroup({ key }));
    const played = jest.spyOn(FullRehearsal.prototype, 'play');
    rehearsedOrder(factsOf({ hosts: [...hosts, spare], instances: many, groups: apart }), {
      planned: hosts,
      before: hosts,
    });
    const plays = played.mock.calls.length;
    expect(plays).toBeLessThanOrEqual(most);
    expect(plays).toBeGreaterThanOrEqual(least);
  });

  it('is as planned in a cloud that is too large to play, however small the session', () => {
    const many = Array.from({ length: 2_000 }, (_, number) => aHost({ name: `spare-${number}` }));
    const played = jest.spyOn(FullRehearsal.prototype, 'play');
    const order = rehearsedOrder(factsOf({ hosts: [...waiting, ...many], instances, groups }), first);
    expect(order).toEqual(waiting);
    expect(played).not.toHaveBeenCalled();
  });
});
