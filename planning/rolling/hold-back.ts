/** Holds hosts of a session back, for its canary and for its windows (work-now.ts): nothing begins on them for now. */
import type { Fleet, Host } from '../fleet/fleet';

/** The fleet as the session decides on it: hosts that are held back are like those of another session that wait. */
export const holdBack = (fleet: Fleet, names: Iterable<string>): Fleet => {
  const held = new Set(names);
  const hosts = fleet.hosts.map((host): Host => {
    if (host.work === undefined || !held.has(host.name)) return host;
    return { ...host, work: { ...host.work, sessionId: `held by ${host.work.sessionId}` } };
  });
  return { ...fleet, hosts };
};
