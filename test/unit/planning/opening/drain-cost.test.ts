import { drainCostsIn } from '../../../../planning/opening/drain-cost';
import type { Group, Host, Instance } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { aFleet, aGroup, aHostIn, anInstance } from '../../../builders/a-fleet';

const small = aHostIn('waiting', 'small', { vcpus: 8 });
const large = aHostIn('waiting', 'large', { vcpus: 16 });
const on = ({ name }: Host, id: string): Instance => anInstance({ id, host: name, vcpus: 1 });

const costOf = (host: Host, instances: readonly Instance[], group: Partial<Group> = {}): number =>
  drainCostsIn(new LiveFleet(aFleet({ hosts: [small, large], instances, groups: [aGroup(group)] }), 0))(host);

describe('what it costs to put a host under work', () => {
  it('is its size where nobody queues', () => {
    expect(costOf(small, [])).toBe(225);
    expect(costOf(large, [])).toBe(450);
  });

  it('adds how long the last of its instances waits for its group', () => {
    expect(costOf(small, [on(small, 'a')])).toBe(225);
    expect(costOf(small, [on(small, 'a'), on(small, 'b')])).toBe(225 + 40);
    expect(costOf(small, [on(small, 'a'), on(small, 'b')], { recoveryTimeSeconds: 60 })).toBe(225 + 100);
    expect(costOf(small, [on(small, 'a'), on(small, 'b')], { maxImpactedMembers: 2 })).toBe(225);
  });
});
