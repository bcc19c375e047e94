import type { VnfFacts } from '../../../../../rules/decisions/both-workflows/session-facts';
import { orderOf } from '../../../../../rules/decisions/drain-order/order-of-hosts';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const limits = { defaultImpactShare: 0.25 };
const short = ['short-1', 'short-2'].map((name) => aHostIn('waiting', name, { expectedMaintenanceSeconds: 300 }));
const waiting = [...short, aHostIn('waiting', 'long', { expectedMaintenanceSeconds: 900 })];
const half = { vcpus: 8, memoryMb: 16_384 };
const instances = waiting.map(({ name }) => anInstance({ id: `on ${name}`, host: name, ...half }));
const model = new FleetModel(
  aFleet({ hosts: [...waiting, aHost({ name: 'spare' })], instances, groups: [aGroup({ maxImpactedMembers: 9 })] }),
  0,
);
const facts: VnfFacts = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', model, nowMs: 0, limits };

const namesIn = (drainOrder?: readonly string[]) => {
  const { hosts, isNew } = orderOf({ ...facts, drainOrder }, waiting);
  return { names: hosts.map(({ name }) => name), isNew };
};

describe('the order of hosts', () => {
  it('has a long maintenance beside short ones, not after them', () => {
    const { names, isNew } = namesIn();
    expect(names.indexOf('long')).toBeLessThan(2);
    expect(names.toSorted()).toEqual(['long', 'short-1', 'short-2']);
    expect(isNew).toBe(true);
  });

  it('has hosts with the fewest instances first in k8s, whatever was found before', () => {
    const k8s = { ...facts, limits: { ...limits, drainsFewestFirst: true }, drainOrder: ['long'] } as const;
    const full = new FleetModel(
      aFleet({
        hosts: waiting,
        instances: ['long', 'long', 'short-1'].map((host, at) => anInstance({ id: `i-${at}`, host })),
      }),
    );
    const { hosts, isNew } = orderOf({ ...k8s, model: full }, waiting);
    expect(hosts.map(({ name }) => name)).toEqual(['short-2', 'short-1', 'long']);
    expect(isNew).toBe(false);
  });

  it('is the same for the same facts', () => {
    expect(namesIn()).toEqual(namesIn());
  });

  it('stays what was found before as long as hardly any of its hosts have gone', () => {
    const drainOrder = ['long', 'short-2', 'short-1'];
    expect(namesIn(drainOrder)).toEqual({ names: drainOrder, isNew: false });
  });

  it('is found anew once some have gone', () => {
    const { names, isNew } = namesIn(['gone', 'short-1', 'short-2', 'long']);
    expect(names.indexOf('long')).toBeLessThan(2);
    expect(isNew).toBe(true);
  });

  it('keeps the others as they were where one host came that it does not know, or some have gone', () => {
    expect(namesIn(['gone', 'long', 'short-2', 'short-1']).names.toSorted()).toEqual(['long', 'short-1', 'short-2']);
    expect(namesIn(['short-2', 'long']).isNew).toBe(true);
  });

  it.each([
    { what: 'one in 25 has gone', gone: 4, isNew: false },
    { what: 'more have gone', gone: 5, isNew: true },
  ])('is new=$isNew where $what', ({ gone, isNew }) => {
    const names = Array.from({ length: 101 - waiting.length - gone }, (_, number) => `host-${String(number)}`);
    const others = names.map((name) => aHostIn('waiting', name));
    const drainOrder = [...waiting, ...others].map(({ name }) => name);
    const before = [...drainOrder, ...Array.from({ length: gone }, (_, number) => `gone-${String(number)}`)];
    const model = new FleetModel(aFleet({ hosts: [...waiting, ...others] }));
    expect(orderOf({ ...facts, model, drainOrder: before }, [...waiting, ...others]).isNew).toBe(isNew);
  });
});
