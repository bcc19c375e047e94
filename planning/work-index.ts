/** Which hosts of a session are in which phase, kept up to date host by host. */
import type { Host, HostPhase } from './fleet';

export class WorkIndex {
  readonly #hosts = new Map<string, Map<HostPhase, Set<Host>>>();

  constructor(hosts: readonly Host[]) {
    for (const host of hosts) this.add(host);
  }

  /** In no particular order. */
  inPhase(sessionId: string, phase: HostPhase): ReadonlySet<Host> {
    return this.#hosts.get(sessionId)?.get(phase) ?? none;
  }

  /** The session's hosts in other phases than these. */
  countOutside(sessionId: string, phases: readonly HostPhase[]): number {
    const byPhase = [...(this.#hosts.get(sessionId) ?? [])];
    return byPhase.reduce((sum, [phase, hosts]) => sum + (phases.includes(phase) ? 0 : hosts.size), 0);
  }

  add(host: Host): void {
    if (!host.work) return;
    const { sessionId, phase } = host.work;
    const byPhase = this.#hosts.get(sessionId) ?? new Map<HostPhase, Set<Host>>();
    this.#hosts.set(sessionId, byPhase);
    byPhase.set(phase, (byPhase.get(phase) ?? new Set()).add(host));
  }

  remove(host: Host): void {
    if (host.work) this.#hosts.get(host.work.sessionId)?.get(host.work.phase)?.delete(host);
  }
}

const none: ReadonlySet<Host> = new Set();
