import type { Group, Instance } from '../../../../planning/fleet/fleet';
import { QueueBookings } from '../../../../planning/opening/queue-bookings';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { aFleet, aGroup, aHostIn, anInstance } from '../../../builders/a-fleet';

const host = aHostIn('waiting', 'h-1');
const emptying = aHostIn('emptying', 'h-2');

const queuesOf = (group: Partial<Group>, instances: readonly Instance[]): QueueBookings =>
  new QueueBookings(new LiveFleet(aFleet({ hosts: [host, emptying], instances, groups: [aGroup(group)] }), 0));

const members = (hostname: string, count: number): Instance[] =>
  Array.from({ length: count }, (_, number) => anInstance({ id: `${hostname}/${number}`, host: hostname, vcpus: 1 }));

describe('the turns that a host takes', () => {
  it.each([
    { what: 'its one member', count: 1, group: {}, turns: [{ queue: 0, seconds: 40, bearableSeconds: 0 }] },
    {
      what: 'a member whose group recovers',
      count: 1,
      group: { recoveryTimeSeconds: 60 },
      turns: [{ queue: 0, seconds: 100, bearableSeconds: 0 }],
    },
    {
      what: 'two members of which both may go',
      count: 2,
      group: { maxImpactedMembers: 2 },
      turns: [{ queue: 0, seconds: 40, bearableSeconds: 0 }],
    },
    {
      what: 'one member of which two may go: it bears one before it',
      count: 1,
      group: { maxImpactedMembers: 2 },
      turns: [{ queue: 0, seconds: 20, bearableSeconds: 20 }],
    },
    { what: 'a group that goes on quickly', count: 2, group: { maxImpactedMembers: 3 }, turns: [] },
    { what: 'no instance', count: 0, group: {}, turns: [] },
  ])('of $what', ({ count, group, turns }) => {
    expect(queuesOf(group, members('h-1', count)).turnsOf(host)).toEqual(turns);
  });

  it('come behind those of members on hosts that are being emptied', () => {
    const queues = queuesOf({}, [...members('h-1', 1), ...members('h-2', 3)]);
    const [turn] = queues.turnsOf(host);
    expect(turn?.queue).toBe(0);
    expect(queues.bookedSeconds).toEqual([3 * 40]);
  });
});
