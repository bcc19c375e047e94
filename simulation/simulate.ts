/**
 * A session of the workflow `vnf` in virtual time: what planning decides is carried out on a fleet file, with the times
 * that the file gives. Planning learns of a reply, a move's end and a maintenance's end when they happen.
 */
import type { Fleet as FileFleet } from '../clouds/simulated/fleet';
import type { Admission, Decision } from '../planning/decision';
import { noTarget } from '../planning/fleet/double-allocation';
import type { Claim, Host, HostWork, Instance, SessionState } from '../planning/fleet/fleet';
import { groupOfKey, instancesOn } from '../planning/fleet/fleet-index';
import { withDefaultImpact } from '../planning/limits/default-impact';
import { leastNeed } from '../planning/limits/reasons';
import { LiveFleet } from '../planning/live/live-fleet';
import type { VnfFacts, VnfLimits } from '../planning/live/vnf-facts';
import { scaleInNeed, whyNotEmptied } from '../planning/rolling/scale-in';
import { decideVnf } from '../planning/vnf/decide-vnf';
import { EventQueue } from './event-queue';
import { asPlanned, type Future, futureOf, simulatedSessionId } from './virtual-fleet';

/** A line of the trace; `t` in seconds. */
export interface TraceEvent {
  readonly t: number;
  readonly event: string;
  readonly [field: string]: string | number;
}

export interface SimulationOptions {
  readonly limits: VnfLimits;
  /** The same fleet with the times that things really take, where those are not what the fleet file says. */
  readonly actual?: FileFleet;
  /** Measures planning; undefined: it is not measured. Milliseconds. */
  readonly clock?: () => number;
  /** Is shown what each decision is about to be taken on. */
  readonly watch?: (facts: VnfFacts) => void;
}

export interface SimulationResult {
  readonly trace: readonly TraceEvent[];
  readonly makespanSeconds: number;
  readonly moves: number;
  /** How long each decision took. Milliseconds. */
  readonly planningMs: readonly number[];
  readonly failure?: string;
}

export const simulate = (fleet: FileFleet, options: SimulationOptions): SimulationResult =>
  new Simulation(fleet, options).run();

/** How long a manager has where no constraints say it: the default of PARLEY_PROJECT_REPLY_SECONDS. */
const usualReplySeconds = 20;

class Simulation {
  readonly #live: LiveFleet;
  readonly #future: Future;
  readonly #actionOf: ReadonlyMap<string, string>;
  readonly #queue = new EventQueue<() => void>();
  readonly #trace: TraceEvent[] = [];
  readonly #planningMs: number[] = [];
  #state: SessionState = 'PREPARE_MAINTENANCE';
  #nowMs = 0;
  #openingOrder: readonly string[] | undefined;
  #moves = 0;

  constructor(
    fleet: FileFleet,
    private readonly options: SimulationOptions,
  ) {
    const planned = withDefaultImpact(asPlanned(fleet), options.limits.defaultImpactShare);
    this.#live = new LiveFleet(planned, 0);
    this.#future = futureOf(options.actual ?? fleet);
    // In the model every action is the migration type, a project's own action included.
    this.#actionOf = new Map(
      fleet.instances.map(({ instanceId, constraints }) => [instanceId, constraints?.migrationType ?? 'LIVE_MIGRATE']),
    );
  }

  run(): SimulationResult {
    let failure = this.#decideUntilQuiet();
    while (failure === undefined && this.#state !== 'MAINTENANCE_COMPLETE') {
      failure = this.#step();
    }
    this.#note('done', {});
    return {
      trace: this.#trace,
      makespanSeconds: this.#nowMs / 1000,
      moves: this.#moves,
      planningMs: this.#planningMs,
      ...(failure !== undefined && { failure }),
    };
  }

  #step(): string | undefined {
    const atMs = this.#queue.nextAtMs();
    if (atMs === undefined) return 'nothing happens any more, and nothing is decided';
    this.#nowMs = atMs;
    while (this.#queue.nextAtMs() === atMs) this.#queue.take()?.();
    return this.#decideUntilQuiet();
  }

  #decideUntilQuiet(): string | undefined {
    for (;;) {
      const decision = this.#decide();
      if (decision.failure !== undefined) return decision.failure;
      if (decision.next === 'SCALE_IN') return this.#whyNoHostIsEmptied();
      if (decision.next) this.#state = decision.next;
      else if (!this.#carryOut(decision)) return undefined;
      if (this.#state === 'MAINTENANCE_COMPLETE') return undefined;
    }
  }

  /** Nobody scales in here. */
  #whyNoHostIsEmptied(): string {
    const need = scaleInNeed(this.#live.fleet, simulatedSessionId);
    const why = need && [leastNeed(need), whyNotEmptied(this.#live.fleet, need.host)];
    return ['no host can be emptied, and something has to be scaled in', ...(why ?? [])].filter(Boolean).join('; ');
  }

  #decide(): Decision {
    const { clock, limits, watch } = this.options;
    const facts: VnfFacts = {
      sessionId: simulatedSessionId,
      state: this.#state,
      live: this.#live,
      nowMs: this.#nowMs,
      limits,
      openingOrder: this.#openingOrder,
    };
    watch?.(facts);
    const before = clock?.();
    const decision = decideVnf(facts);
    if (clock && before !== undefined) this.#planningMs.push(clock() - before);
    this.#openingOrder = decision.openingOrder ?? this.#openingOrder;
    return decision;
  }

  /** Whether there was anything to do. */
  #carryOut({ open, admit, reserve = [], begin, release }: Decision): boolean {
    for (const name of begin) this.#begin(name);
    for (const name of open) this.#open(name);
    for (const name of release) this.#giveBack(name);
    for (const { instanceId, target } of reserve) this.#live.reserve(instanceId, target);
    for (const admission of admit) this.#admit(admission);
    return open.length + reserve.length + admit.length + begin.length + release.length > 0;
  }

  #open(hostname: string): void {
    this.#note('disable', { host: hostname });
    this.#setWork(hostname, { phase: 'emptying', disabled: true }, false);
  }

  #giveBack(hostname: string): void {
    for (const { id } of instancesOn(this.#live, hostname)) this.#live.unreserve(id);
    const releases = (this.#live.hostByName.get(hostname)?.work?.releases ?? 0) + 1;
    this.#endWork(hostname, { phase: 'waiting', disabled: false, releases });
  }

  #begin(hostname: string): void {
    this.#note('maintenance_start', { host: hostname });
    this.#setWork(hostname, { phase: 'maintaining', announced: true, announcedAtMs: this.#nowMs }, false);
    this.#after(this.#future.maintenanceMs.get(hostname) ?? 0, () => {
      this.#note('maintenance_end', { host: hostname });
      this.#endWork(hostname, { phase: 'maintained' });
    });
  }

  /** Enables the host again, unless somebody had disabled it before. */
  #endWork(hostname: string, change: Partial<HostWork>): void {
    const isEnabled = this.#live.hostByName.get(hostname)?.work?.disabledBefore !== true;
    if (isEnabled) this.#note('enable', { host: hostname });
    this.#setWork(hostname, change, isEnabled);
  }

  #admit(admission: Admission): void {
    const instance = this.#live.instanceById.get(admission.instanceId);
    if (!instance) throw new RangeError(`instance ${admission.instanceId} is not in the fleet`);
    const claim: Claim = {
      id: instance.id,
      sessionId: simulatedSessionId,
      instanceId: instance.id,
      groupKey: admission.groupKey,
      phase: 'asked',
      source: admission.source,
      target: admission.target,
      action: admission.action,
      vcpus: instance.vcpus,
      memoryMb: instance.memoryMb,
    };
    if (admission.kind === 'move') this.#startMove(claim);
    else this.#ask(claim, instance);
  }

  /** The move begins with the answer, or in silence when the lead time is over. */
  #ask(claim: Claim, instance: Instance): void {
    this.#live.setClaim(claim);
    this.#note('notify', { instance: instance.id });
    const leadMs = (instance.leadTimeSeconds ?? usualReplySeconds) * 1000;
    const readyMs = this.#future.readyMs.get(instance.id) ?? null;
    this.#after(readyMs === null ? leadMs : Math.min(readyMs, leadMs), () => {
      if (readyMs !== null) this.#note('reply', { instance: instance.id });
      if (readyMs === null && claim.target === noTarget) this.#leaveToService(claim, instance);
      else this.#startMove(claim);
    });
  }

  /** Its project did not delete it: now it needs a place like any other. */
  #leaveToService(claim: Claim, instance: Instance): void {
    this.#live.setInstance({ ...instance, settledAction: 'LIVE_MIGRATE' });
    this.#recover(claim);
  }

  #startMove(claim: Claim): void {
    const { instanceId, source, target } = claim;
    const action = this.#actionOf.get(instanceId) ?? claim.action;
    this.#moves += 1;
    this.#note('move_start', { instance: instanceId, from: source, to: target, action });
    this.#live.setClaim({ ...claim, phase: 'moving' });
    this.#after(this.#future.moveMs.get(instanceId) ?? 0, () => this.#endMove(claim));
  }

  #endMove(claim: Claim): void {
    const { instanceId, target } = claim;
    this.#note('move_end', { instance: instanceId });
    const instance = this.#live.instanceById.get(instanceId);
    if (instance) this.#live.setInstance({ ...instance, host: target });
    this.#recover(claim);
  }

  #recover(claim: Claim): void {
    const { instanceId, groupKey } = claim;
    const recoveryMs = groupOfKey(this.#live, groupKey).recoveryTimeSeconds * 1000;
    this.#live.setClaim({ ...claim, phase: 'recovering', recoversAtMs: this.#nowMs + recoveryMs });
    this.#after(recoveryMs, () => this.#live.removeClaim(instanceId));
  }

  #setWork(hostname: string, change: Partial<HostWork>, enabled: boolean): void {
    const host = this.#live.hostByName.get(hostname);
    if (!host?.work) throw new RangeError(`host ${hostname} is not in the session`);
    const changed: Host = { ...host, enabled, work: { ...host.work, ...change } };
    this.#live.setHost(changed);
  }

  #after(ms: number, happen: () => void): void {
    this.#queue.add(this.#nowMs + ms, happen);
  }

  #note(event: string, fields: Readonly<Record<string, string>>): void {
    this.#trace.push({ t: this.#nowMs / 1000, event, ...fields });
  }
}
