import type { Host, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { findTargets } from '../../../../../rules/decisions/model/placement';
import { mayPlaceAllOf } from '../../../../../rules/decisions/vnf/places';
import { aClaim, aFleet, aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';

/** On a host that is full. */
const onFull = (...vcpus: readonly number[]): readonly Instance[] =>
  vcpus.map((each, number) => anInstance({ id: `instance-${number}`, host: 'full', vcpus: each }));
const spares = (...vcpus: readonly number[]): readonly Host[] =>
  vcpus.map((each, number) => aHost({ name: `spare-${number}`, vcpus: each }));

describe('a quick look at whether all of a host finds a place', () => {
  const full = aHostIn('waiting', 'full');

  it.each([
    { what: 'as much capacity as it holds', held: [8, 8], free: [8, 8], mayTake: true },
    { what: 'too little capacity', held: [8, 8], free: [8, 7], mayTake: false },
    { what: 'room in parts that its largest does not fit into', held: [10, 6], free: [9, 9, 9], mayTake: false },
    { what: 'room for one of its two largest', held: [6, 6, 4], free: [11, 5], mayTake: false },
    { what: 'room for both of its largest on one host', held: [6, 6, 4], free: [12, 4], mayTake: true },
  ])('$what: $mayTake', ({ held, free, mayTake }) => {
    const model = new FleetModel(aFleet({ hosts: [full, ...spares(...free)], instances: onFull(...held) }), 0);
    expect(mayPlaceAllOf(model, full)).toBe(mayTake);
  });

  it('leaves out the capacity that the host itself has', () => {
    const large = aHostIn('waiting', 'full', { vcpus: 32 });
    const model = new FleetModel(aFleet({ hosts: [large, ...spares(4, 4)], instances: onFull(8) }), 0);
    expect(mayPlaceAllOf(model, large)).toBe(false);
  });

  it('counts no place for an instance that is leaving already', () => {
    const claims = [aClaim({ instanceId: 'instance-0', phase: 'moving', source: 'full', target: 'spare-0' })];
    const hosts = [full, ...spares(10, 9, 9)];
    const model = new FleetModel(aFleet({ hosts, instances: onFull(10, 6), claims }), 0);
    expect(mayPlaceAllOf(model, full)).toBe(true);
  });

  it('knows what was placed meanwhile, and taken back', () => {
    const hosts = [full, aHostIn('waiting', 'other', { vcpus: 8 }), ...spares(8, 8)];
    const other = anInstance({ id: 'other', host: 'other', vcpus: 8 });
    const model = new FleetModel(aFleet({ hosts, instances: [...onFull(8, 8), other] }), 0);
    expect(mayPlaceAllOf(model, full)).toBe(true);
    const mark = model.capacity.mark();
    findTargets({ model, instances: [other] });
    expect(mayPlaceAllOf(model, full)).toBe(false);
    model.capacity.rollBack(mark);
    expect(mayPlaceAllOf(model, full)).toBe(true);
  });
});
