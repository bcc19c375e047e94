/** A fleet in virtual time: its present state, its future events, and a trace of its past events. */
import type { Claim, Fleet, Host, HostWork, Instance } from '../decisions/fleet/fleet';
import { groupsImpactedBy } from '../decisions/limits/impact';
import { FleetModel } from '../decisions/model/fleet-model';
import { EventQueue } from './event-queue';
import { type Faults, noFaults, type QuickStep } from './faults';

/** A line of the trace; `t` in seconds since the beginning. */
export interface TraceEvent {
  readonly t: number;
  readonly event: string;
  readonly [field: string]: string | number | boolean;
}

export class VirtualWorld {
  readonly trace: TraceEvent[] = [];
  /** Counts, by the key of each group, the greatest number of members that were impacted at once. */
  readonly mostImpacted = new Map<string, number>();
  readonly #queue = new EventQueue<() => void>();
  #model: FleetModel;
  #nowMs: number;

  constructor(
    fleet: Fleet,
    readonly startMs: number,
    readonly faults: Faults = noFaults,
  ) {
    this.#model = new FleetModel(fleet, startMs);
    this.#nowMs = startMs;
    for (const claim of this.model.claimByInstance.values()) this.#countImpacted(claim);
  }

  get model(): FleetModel {
    return this.#model;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Others change the fleet. */
  change(changed: (fleet: Fleet) => Fleet): void {
    this.#model = new FleetModel(changed(this.#model.snapshot()), this.#nowMs);
  }

  after(ms: number, happen: () => void): void {
    this.#queue.add(this.#nowMs + Math.max(0, ms), happen);
  }

  /** At once, unless the step takes time. */
  afterStep(step: QuickStep, happen: () => void): void {
    const ms = this.faults.lagMs(step);
    if (ms > 0) this.after(ms, happen);
    else happen();
  }

  note(event: string, fields: Readonly<Record<string, string | number | boolean>>): void {
    this.trace.push({ t: (this.#nowMs - this.startMs) / 1000, event, ...fields });
  }

  /** Lets all events of the next time happen; false when there are none. */
  goOn(): boolean {
    const atMs = this.#queue.nextAtMs();
    if (atMs === undefined) return false;
    this.#nowMs = atMs;
    while (this.#queue.nextAtMs() === atMs) this.#queue.take()?.();
    return true;
  }

  /** @throws RangeError where the host is in no session */
  setWork(hostname: string, change: Partial<HostWork>, enabled: boolean): Host {
    const host = this.model.hostByName.get(hostname);
    if (!host?.work) throw new RangeError(`host ${hostname} is not in a session`);
    const changed: Host = { ...host, enabled, work: { ...host.work, ...change } };
    this.model.setHost(changed);
    return changed;
  }

  setInstance(instance: Instance): void {
    this.model.setInstance(instance);
  }

  setClaim(claim: Claim): void {
    this.model.setClaim(claim);
    this.#countImpacted(claim);
  }

  #countImpacted(claim: Claim): void {
    for (const key of groupsImpactedBy(claim, this.model.instanceById.get(claim.instanceId))) {
      const impacted = this.model.groups.impactedMembers(key);
      this.mostImpacted.set(key, Math.max(impacted, this.mostImpacted.get(key) ?? 0));
    }
  }
}
