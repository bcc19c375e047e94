import { LiveFleet } from '../../../../planning/live/live-fleet';
import type { VnfFacts } from '../../../../planning/live/vnf-facts';
import { orderOf } from '../../../../planning/opening/opening-order';
import { aFleet, aGroup, aHost, aHostIn, aSessionId, anInstance } from '../../../builders/a-fleet';

const limits = { releases: 2, defaultImpactShare: 0.25 };
const short = ['short-1', 'short-2'].map((name) => aHostIn('waiting', name, { expectedMaintenanceSeconds: 300 }));
const waiting = [...short, aHostIn('waiting', 'long', { expectedMaintenanceSeconds: 900 })];
const half = { vcpus: 8, memoryMb: 16_384 };
const instances = waiting.map(({ name }) => anInstance({ id: `on ${name}`, host: name, ...half }));
const live = new LiveFleet(
  aFleet({ hosts: [...waiting, aHost({ name: 'spare' })], instances, groups: [aGroup({ maxImpactedMembers: 9 })] }),
  0,
);
const facts: VnfFacts = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs: 0, limits };

const namesIn = (openingOrder?: readonly string[]) => {
  const { hosts, isNew } = orderOf({ ...facts, openingOrder }, waiting);
  return { names: hosts.map(({ name }) => name), isNew };
};

describe('the order of hosts', () => {
  it('has a long maintenance beside short ones, not after them', () => {
    const { names, isNew } = namesIn();
    expect(names.indexOf('long')).toBeLessThan(2);
    expect(names.toSorted()).toEqual(['long', 'short-1', 'short-2']);
    expect(isNew).toBe(true);
  });

  it('is the same for the same facts', () => {
    expect(namesIn()).toEqual(namesIn());
  });

  it('stays what was found before as long as hardly any of its hosts have gone', () => {
    const openingOrder = ['long', 'short-2', 'short-1'];
    expect(namesIn(openingOrder)).toEqual({ names: openingOrder, isNew: false });
  });

  it('is found anew once some have gone', () => {
    const { names, isNew } = namesIn(['gone', 'short-1', 'short-2', 'long']);
    expect(names.indexOf('long')).toBeLessThan(2);
    expect(isNew).toBe(true);
  });
});
