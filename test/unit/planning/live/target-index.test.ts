import type { Host } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { bestRank, worstRank } from '../../../../planning/limits/placement';
import { aFleet, aHost, aHostIn, anInstance } from '../../../builders/a-fleet';

const fleetOf = (...hosts: readonly Host[]): LiveFleet => new LiveFleet(aFleet({ hosts }), 0);

describe('the room on targets', () => {
  it('is what is free on all hosts that may take instances', () => {
    const live = fleetOf(
      aHost({ name: 'host-1', vcpus: 4, memoryMb: 4000 }),
      aHostIn('waiting', 'host-2', { vcpus: 8, memoryMb: 9000 }),
      aHostIn('emptying', 'host-3', { vcpus: 16, memoryMb: 16_000 }),
    );
    expect(live.targets.room).toEqual({ vcpus: 12, memoryMb: 13_000 });
  });

  it('changes with what is held, and with the phase of a host', () => {
    const live = fleetOf(aHostIn('waiting', 'host-1', { vcpus: 4, memoryMb: 4000 }));
    live.occupancy.hold('host-1', anInstance({ vcpus: 1, memoryMb: 1000 }));
    expect(live.targets.room).toEqual({ vcpus: 3, memoryMb: 3000 });
    live.setHost(aHostIn('emptying', 'host-1', { vcpus: 4, memoryMb: 4000 }));
    expect(live.targets.room).toEqual({ vcpus: 0, memoryMb: 0 });
  });

  it('is looked for by rank', () => {
    const live = fleetOf(aHostIn('maintained', 'host-1'), aHost({ name: 'host-2' }));
    expect([bestRank, 1, worstRank].map((rank) => live.targets.isRoomIn(rank))).toEqual([true, true, false]);
  });
});

it('a host that is withdrawn takes nothing until it is restored', () => {
  const host = aHost({ name: 'host-1' });
  const live = fleetOf(host);
  const search = { allows: () => true };
  const instance = anInstance({ host: 'host-2' });
  live.targets.withdraw(host);
  expect(live.targets.bestFor(instance, search)).toBeUndefined();
  live.targets.restore();
  expect(live.targets.bestFor(instance, search)?.host).toBe(host);
});
