/** Which hosts of a session are in which phase, kept up to date host by host. */
import type { Host, HostPhase } from '../fleet/fleet';
import { compareText } from '../fleet/fleet-index';
import { lowerBound } from './lower-bound';

export class WorkIndex {
  readonly #hosts = new Map<string, Map<HostPhase, Host[]>>();

  constructor(hosts: readonly Host[]) {
    for (const host of hosts) this.add(host);
  }

  /** By name. The list changes with the fleet. */
  inPhase(sessionId: string, phase: HostPhase): readonly Host[] {
    return this.#hosts.get(sessionId)?.get(phase) ?? none;
  }

  /** The session's hosts in other phases than these. */
  countOutside(sessionId: string, phases: readonly HostPhase[]): number {
    const byPhase = [...(this.#hosts.get(sessionId) ?? [])];
    return byPhase.reduce((sum, [phase, hosts]) => sum + (phases.includes(phase) ? 0 : hosts.length), 0);
  }

  add(host: Host): void {
    if (!host.work) return;
    const { sessionId, phase } = host.work;
    const byPhase = this.#hosts.get(sessionId) ?? new Map<HostPhase, Host[]>();
    this.#hosts.set(sessionId, byPhase);
    const hosts = byPhase.get(phase) ?? [];
    byPhase.set(phase, hosts);
    hosts.splice(positionOf(host, hosts), 0, host);
  }

  /** Does nothing for a host of no session. */
  remove(host: Host): void {
    const hosts = host.work && this.#hosts.get(host.work.sessionId)?.get(host.work.phase);
    hosts?.splice(positionOf(host, hosts), 1);
  }
}

const none: readonly Host[] = [];

function positionOf({ name }: Host, hosts: readonly Host[]): number {
  return lowerBound(hosts, (other) => compareText(other.name, name) < 0);
}
