import type { Host, Instance } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { OpeningOrder, mostHostsToLookAhead } from '../../../../planning/opening/opening-order';
import type { VnfFacts } from '../../../../planning/live/vnf-facts';
import { aFleet, aGroup, aHost, aHostIn, aSessionId, anInstance } from '../../../builders/a-fleet';

const limits = { releases: 2, defaultImpactShare: 0.25 };

const orderOf = (hosts: readonly Host[], instances: readonly Instance[] = []): OpeningOrder => {
  const live = new LiveFleet(aFleet({ hosts, instances, groups: [aGroup()] }), 0);
  return new OpeningOrder({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs: 0, limits }, hosts);
};

const sorted = (order: OpeningOrder, hosts: readonly Host[]): readonly (string | undefined)[] => {
  const queue = order.queueOf(hosts);
  return hosts.map(() => queue.take()?.name);
};

describe('where hosts are few enough to look ahead', () => {
  const short = ['short-1', 'short-2'].map((name) => aHostIn('waiting', name, { expectedMaintenanceSeconds: 300 }));
  const waiting = [...short, aHostIn('waiting', 'long', { expectedMaintenanceSeconds: 900 })];
  const half = { vcpus: 8, memoryMb: 16_384 };
  const instances = waiting.map(({ name }) => anInstance({ id: `on ${name}`, host: name, ...half }));
  const live = new LiveFleet(
    aFleet({ hosts: [...waiting, aHost({ name: 'spare' })], instances, groups: [aGroup({ maxImpactedMembers: 9 })] }),
    0,
  );
  const facts: VnfFacts = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs: 0, limits };

  it('a long maintenance goes beside short ones, not after them', () => {
    const order = sorted(new OpeningOrder(facts, waiting), waiting);
    expect(order.indexOf('long')).toBeLessThan(2);
    expect(order.toSorted()).toEqual(['long', 'short-1', 'short-2']);
  });

  it('the order stays whatever is opened of it', () => {
    const order = new OpeningOrder(facts, waiting);
    const before = sorted(order, waiting);
    for (const host of waiting) order.open(host);
    expect(sorted(order, waiting)).toEqual(before);
  });

  it('the order found before holds as long as hardly any of its hosts have gone, and nothing is looked for', () => {
    const openingOrder = ['long', 'short-2', 'short-1'];
    const order = new OpeningOrder({ ...facts, openingOrder }, waiting);
    expect(sorted(order, waiting)).toEqual(openingOrder);
    expect(order.found).toBeUndefined();
  });

  it('looks ahead again once some have gone, and says what it found', () => {
    const order = new OpeningOrder({ ...facts, openingOrder: ['gone', 'short-1', 'short-2', 'long'] }, waiting);
    const found = sorted(order, waiting);
    expect(found.indexOf('long')).toBeLessThan(2);
    expect(order.found?.map(({ name }) => name)).toEqual(found);
  });
});

/** So many that nobody looks ahead. */
const many = mostHostsToLookAhead + 10;
const aRest = (count: number): Host[] =>
  Array.from({ length: count }, (_, number) => aHostIn('maintained', `rest-${number}`, { vcpus: 0, memoryMb: 0 }));
/** They leave room for one host of 16 vcpus. */
const withRoomForOne = (hosts: readonly Host[]): readonly Host[] => [
  ...hosts.map((host) => ({ ...host, enabled: false })),
  aHostIn('maintained', 'room'),
  ...aRest(many),
];
const inMaintenance = aHostIn('maintaining', 'under-work', {
  expectedMaintenanceSeconds: 1_000,
  work: { announcedAtMs: 0 },
});

describe('where there are too many hosts to look ahead', () => {
  const long = aHostIn('waiting', 'long', { expectedMaintenanceSeconds: 2_000 });
  const short = aHostIn('waiting', 'short', { expectedMaintenanceSeconds: 1_000 });
  const orderAmong = (
    waiting: readonly Host[],
    instances: readonly Instance[] = [],
    underWork: readonly Host[] = [inMaintenance],
  ): OpeningOrder => {
    const live = new LiveFleet(
      aFleet({
        hosts: withRoomForOne([...waiting, ...underWork]),
        instances,
        groups: [aGroup(), aGroup({ key: 'slow' })],
      }),
      0,
    );
    return new OpeningOrder({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs: 0, limits }, waiting);
  };

  it('the host goes first that fits best into the time that free room has left', () => {
    // What is under work is back after 1,000 s, early enough for the short one: the long one goes now.
    expect(sorted(orderAmong([short, long]), [short, long])).toEqual(['long', 'short']);
  });

  it('a host goes first, of those that fit alike, whose instances queue less for their groups', () => {
    const [one, other] = [aHostIn('waiting', 'a'), aHostIn('waiting', 'b')];
    const queueing = ['1', '2', '3'].map((id) => anInstance({ id, host: 'a', vcpus: 1 }));
    expect(sorted(orderAmong([one, other], queueing), [one, other])).toEqual(['b', 'a']);
  });

  it('a host goes first, of those that queue alike, with a group that many more have to leave', () => {
    const waiting = ['a', 'b', 'c', 'd', 'e'].map((name) => aHostIn('waiting', name));
    const slow = ['b', 'c', 'd', 'e'].map((host) => anInstance({ id: host, host, vcpus: 1, groupKey: 'slow' }));
    const single = anInstance({ id: 'a', host: 'a', vcpus: 1 });
    expect(sorted(orderAmong(waiting, [single, ...slow]), waiting).at(-1)).toBe('a');
  });

  it('compares the 250 closely that fit best', () => {
    // The room is free for as long as the long ones take, and the short ones can wait for what is under work.
    const many = Array.from({ length: 260 }, (_, number) =>
      aHostIn('waiting', `a-${number}`, { expectedMaintenanceSeconds: 600 }),
    );
    const few = Array.from({ length: 30 }, (_, number) =>
      aHostIn('waiting', `z-${number}`, { expectedMaintenanceSeconds: 1_800 }),
    );
    const maintaining = Array.from({ length: 150 }, (_, number) =>
      aHostIn('maintaining', `m-${number}`, { expectedMaintenanceSeconds: 900, work: { announcedAtMs: 0 } }),
    );
    const compared = orderAmong([...many, ...few], [], maintaining).firstOf([...many, ...few]);
    expect(compared).toHaveLength(250);
    expect(compared.slice(-30)).toEqual(few);
  });
});

it('looks at all where they are few', () => {
  const hosts = ['a', 'b', 'c'].map((name) => aHostIn('waiting', name));
  expect(orderOf(hosts).firstOf(hosts)).toEqual(hosts);
});
