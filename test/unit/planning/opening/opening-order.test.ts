import type { Host, Instance } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { OpeningOrder } from '../../../../planning/opening/opening-order';
import { aFleet, aGroup, aHostIn, aSessionId, anInstance } from '../../../builders/a-fleet';

const limits = { releases: 2, defaultImpactShare: 0.25 };

const orderOf = (hosts: readonly Host[], instances: readonly Instance[] = []): OpeningOrder => {
  const live = new LiveFleet(aFleet({ hosts, instances, groups: [aGroup()] }), 0);
  return new OpeningOrder({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs: 0, limits }, hosts);
};

const sorted = (order: OpeningOrder, hosts: readonly Host[]): readonly string[] =>
  order.sort(hosts).map(({ name }) => name);

/** So many that no orders are compared. */
const many = 700;
const aRest = (count: number, expectedMaintenanceSeconds: number): Host[] =>
  Array.from({ length: count }, (_, number) =>
    aHostIn('waiting', `rest-${String(number).padStart(3, '0')}`, { expectedMaintenanceSeconds }),
  );

describe('where there are too many hosts to look ahead', () => {
  const long = aHostIn('waiting', 'long', { expectedMaintenanceSeconds: 1000 });
  const short = aHostIn('waiting', 'short', { expectedMaintenanceSeconds: 900 });
  const smallAndShort = aHostIn('waiting', 'small', { expectedMaintenanceSeconds: 900, vcpus: 4 });

  it.each([
    { what: 'the longer maintenance', hosts: [short, long], expected: ['long', 'short'] },
    { what: 'the smaller host, unless it is much shorter', hosts: [long, smallAndShort], expected: ['small', 'long'] },
  ])('$what goes first', ({ hosts, expected }) => {
    expect(sorted(orderOf([...hosts, ...aRest(many, 100)]), hosts)).toEqual(expected);
  });

  it('a host goes first whose instances queue less than its maintenance is shorter', () => {
    const queueing = Array.from({ length: 4 }, (_, number) =>
      anInstance({ id: `q-${number}`, host: 'long', vcpus: 1 }),
    );
    const order = orderOf([short, long, ...aRest(many, 100)], queueing);
    expect(sorted(order, [short, long])).toEqual(['short', 'long']);
  });

  it('compares the 128 with the longest maintenance', () => {
    const rest = aRest(many, 100);
    const first = orderOf([...rest, long, short]).firstOf([...rest, long, short]);
    expect(first).toHaveLength(128);
    expect(first.slice(0, 2)).toEqual([long, short]);
  });
});

it('looks at all where they are few', () => {
  const hosts = aRest(3, 100);
  expect(orderOf(hosts).firstOf(hosts)).toEqual(hosts);
});
