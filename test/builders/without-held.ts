import type { Fleet } from '../../rules/decisions/fleet/fleet';
import { holdBack, type HostsHeldBack } from '../../rules/steering/hold-back';

/** The fleet as a session decides on it that holds hosts back and gives others back. */
export const withoutHeld = (fleet: Fleet, { held, giveBack }: Pick<HostsHeldBack, 'held' | 'giveBack'>): Fleet => ({
  ...holdBack(
    fleet,
    held.map(({ who }) => who),
  ),
  hosts: fleet.hosts.map((host) =>
    host.work && giveBack.includes(host.name) ? { ...host, work: { ...host.work, phase: 'releasing' } } : host,
  ),
});
