import type { Host } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aFleet, aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';

const fleetOf = (...hosts: readonly Host[]): FleetModel => new FleetModel(aFleet({ hosts }), 0);

describe('the capacity of all targets', () => {
  it('is what is free on all hosts that may take instances', () => {
    const model = fleetOf(
      aHost({ name: 'host-1', vcpus: 4, memoryMb: 4000 }),
      aHostIn('waiting', 'host-2', { vcpus: 8, memoryMb: 9000 }),
      aHostIn('emptying', 'host-3', { vcpus: 16, memoryMb: 16_000 }),
    );
    expect(model.capacity.total).toEqual([12, 13_000]);
  });

  it('changes with what is held, and with the phase of a host', () => {
    const model = fleetOf(aHostIn('waiting', 'host-1', { vcpus: 4, memoryMb: 4000 }));
    model.capacity.hold('host-1', anInstance({ vcpus: 1, memoryMb: 1000 }));
    expect(model.capacity.total).toEqual([3, 3000]);
    model.setHost(aHostIn('emptying', 'host-1', { vcpus: 4, memoryMb: 4000 }));
    expect(model.capacity.total).toEqual([0, 0]);
  });
});

it('a host that is removed takes nothing until that is taken back', () => {
  const host = aHost({ name: 'host-1' });
  const model = fleetOf(host);
  const search = { mayTake: () => true };
  const instance = anInstance({ host: 'host-2' });
  const mark = model.capacity.mark();
  model.capacity.removeTarget(host.name);
  expect(model.capacity.bestFor(instance, search)).toBeUndefined();
  model.capacity.rollBack(mark);
  expect(model.capacity.bestFor(instance, search)?.host).toBe(host);
});
