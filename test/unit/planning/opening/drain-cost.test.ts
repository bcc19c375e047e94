import { DrainCost } from '../../../../planning/opening/drain-cost';
import type { Group, Host, Instance } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { aFleet, aGroup, aHostIn, anInstance } from '../../../builders/a-fleet';

const small = aHostIn('waiting', 'small', { vcpus: 8 });
const large = aHostIn('waiting', 'large', { vcpus: 16 });
const on = ({ name }: Host, id: string): Instance => anInstance({ id, host: name, vcpus: 1 });

const costsIn = (instances: readonly Instance[], group: Partial<Group> = {}): DrainCost =>
  new DrainCost(new LiveFleet(aFleet({ hosts: [small, large], instances, groups: [aGroup(group)] }), 0));

describe('what it costs to put a host under work', () => {
  it('is its size where nobody queues', () => {
    expect(costsIn([]).of(small)).toBe(225);
    expect(costsIn([]).of(large)).toBe(450);
  });

  it('adds how long the last of its instances waits for its group', () => {
    expect(costsIn([on(small, 'a')]).of(small)).toBe(225);
    expect(costsIn([on(small, 'a'), on(small, 'b')]).of(small)).toBe(225 + 40);
    expect(costsIn([on(small, 'a'), on(small, 'b')], { recoveryTimeSeconds: 60 }).of(small)).toBe(225 + 100);
    expect(costsIn([on(small, 'a'), on(small, 'b')], { maxImpactedMembers: 2 }).of(small)).toBe(225);
  });

  it('counts the members on a host that is opened with it', () => {
    const costs = costsIn([on(small, 'a'), on(large, 'b')]);
    expect(costs.of(small)).toBe(225);
    costs.open(large);
    expect(costs.of(small)).toBe(225 + 40);
  });
});
