import { canAllEnd } from '../../../../../rules/decisions/both-workflows/hosts-that-end';
import type { Fleet } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aClaim, aController, aFleet, aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';

const full = (id: string, host: string): ReturnType<typeof anInstance> => anInstance({ id, host, vcpus: 16 });

const canEnd = (fleet: Fleet, hostnames: readonly string[]): boolean => {
  const model = new FleetModel(fleet);
  return canAllEnd(
    model,
    hostnames.flatMap((name) => model.hostByName.get(name) ?? []),
  );
};

describe('an order in which all hosts under work can end', () => {
  it('exists without any', () => {
    expect(canEnd(aFleet(), [])).toBe(true);
  });

  it('lets a host that is done take the instances of the next', () => {
    const hosts = [aHostIn('emptying', 'host-1'), aHostIn('emptying', 'host-2'), aHost({ name: 'host-3' })];
    const fleet = aFleet({ hosts, instances: [full('a', 'host-1'), full('b', 'host-2')] });
    expect(canEnd(fleet, ['host-1', 'host-2'])).toBe(true);
  });

  it('does not exist where they wait for each other', () => {
    const hosts = [aHostIn('emptying', 'host-1'), aHostIn('emptying', 'host-2')];
    const fleet = aFleet({ hosts, instances: [full('a', 'host-1'), full('b', 'host-2')] });
    expect(canEnd(fleet, ['host-1', 'host-2'])).toBe(false);
  });

  it('does not count on a host that someone else had disabled', () => {
    const work = { disabledBefore: true };
    const hosts = [aHostIn('emptying', 'host-1'), aHostIn('maintaining', 'host-2', { work })];
    expect(canEnd(aFleet({ hosts, instances: [full('a', 'host-1')] }), ['host-1', 'host-2'])).toBe(false);
  });

  it('does not count on a controller that holds no instances', () => {
    const hosts = [aHostIn('emptying', 'host-1'), aController('maintaining', 'host-2')];
    expect(canEnd(aFleet({ hosts, instances: [full('a', 'host-1')] }), ['host-1', 'host-2'])).toBe(false);
  });

  it('takes a host that is about to be drained for no target', () => {
    const hosts = [aHostIn('emptying', 'host-1'), aHostIn('waiting', 'host-2')];
    const instances = [anInstance({ id: 'a' }), full('b', 'host-2')];
    expect(canEnd(aFleet({ hosts, instances }), ['host-1', 'host-2'])).toBe(false);
  });

  it('counts what is in flight as arrived', () => {
    const hosts = [aHostIn('emptying', 'host-1'), aHostIn('emptying', 'host-3'), aHost({ name: 'host-2' })];
    const instances = [full('a', 'host-1'), full('b', 'host-3')];
    const claims = [aClaim({ instanceId: 'a', vcpus: 16 })];
    expect(canEnd(aFleet({ hosts, instances, claims }), ['host-1', 'host-3'])).toBe(true);
  });
});
