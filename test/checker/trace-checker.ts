/**
 * Judges a trace against the fleet file it was made from, by replaying it and counting what is there. It shares no code
 * with planning and trusts nothing but the two files: every rule is read from the fleet file's own words.
 */
import type { WireFleet, WireGroup, WireInstance } from '../../clouds/simulated/fleet-schema';
import type { TraceEvent } from '../../simulation/simulate';

interface Standing {
  host: string;
  movingTo?: string;
  moveStartedAt?: number;
  askedAt?: number;
  answered: boolean;
  /** In the stricter reading: from the question on. Infinity while it lasts. */
  impactedUntil: number;
}

const tolerance = 1e-6;

export class TraceChecker {
  readonly violations: string[] = [];
  readonly #instances = new Map<string, WireInstance>();
  readonly #standing = new Map<string, Standing>();
  readonly #groups = new Map<string, WireGroup>();
  readonly #disabled = new Set<string>();
  readonly #maintainingSince = new Map<string, number>();
  readonly #maintained = new Map<string, number>();
  #at = 0;
  #done = false;

  constructor(private readonly fleet: WireFleet) {
    for (const group of fleet.groups ?? []) this.#groups.set(group.group_id, group);
    for (const instance of fleet.instances) {
      this.#instances.set(instance.instance_id, instance);
      this.#standing.set(instance.instance_id, { host: instance.host, answered: false, impactedUntil: -Infinity });
    }
  }

  judge(trace: readonly TraceEvent[]): readonly string[] {
    for (const event of trace) this.#take(event);
    this.#checkEnd();
    return this.violations;
  }

  #take(event: TraceEvent): void {
    if (event.t < this.#at - tolerance) this.#bad(`time goes back to ${event.t}`);
    if (this.#done) this.#bad(`${event.event} after done`);
    this.#at = event.t;
    const known: Readonly<Record<string, (event: TraceEvent) => void>> = this.#handlers;
    const handle = known[event.event];
    if (handle) handle(event);
    else this.#bad(`unknown event ${event.event}`);
  }

  readonly #handlers = {
    notify: (event: TraceEvent) => this.#notify(String(event['instance'])),
    reply: (event: TraceEvent) => this.#reply(String(event['instance'])),
    move_start: (event: TraceEvent) =>
      this.#startMove(String(event['instance']), String(event['from']), String(event['to'])),
    move_end: (event: TraceEvent) => this.#endMove(String(event['instance'])),
    disable: (event: TraceEvent) => void this.#disabled.add(String(event['host'])),
    enable: (event: TraceEvent) => this.#enable(String(event['host'])),
    maintenance_start: (event: TraceEvent) => this.#startMaintenance(String(event['host'])),
    maintenance_end: (event: TraceEvent) => this.#endMaintenance(String(event['host'])),
    done: () => (this.#done = true),
  };

  #enable(host: string): void {
    if (this.#maintainingSince.has(host)) this.#bad(`${host} is enabled during its maintenance`);
    this.#disabled.delete(host);
  }

  #notify(id: string): void {
    const standing = this.#standing.get(id)!;
    if (standing.movingTo !== undefined) this.#bad(`${id} is asked while it moves`);
    if (standing.askedAt !== undefined) this.#bad(`${id} is asked twice`);
    if (!this.#disabled.has(standing.host)) this.#bad(`${id} is asked though its host is not under work`);
    standing.askedAt = this.#at;
    standing.answered = false;
    this.#impact(id);
  }

  #reply(id: string): void {
    const standing = this.#standing.get(id)!;
    const { ready_s: ready = null } = this.#instances.get(id)!;
    const { askedAt } = standing;
    if (askedAt === undefined || ready === null) this.#bad(`${id} replies unasked`);
    else if (this.#at < askedAt + ready - tolerance) this.#bad(`${id} replies too early`);
    standing.answered = true;
  }

  #startMove(id: string, from: string, to: string): void {
    const standing = this.#standing.get(id)!;
    if (standing.movingTo !== undefined) this.#bad(`${id} moves twice at once`);
    if (standing.host !== from) this.#bad(`${id} is not on ${from}`);
    if (to === from || this.#disabled.has(to) || !this.#isCompute(to)) this.#bad(`${id} may not go to ${to}`);
    this.#checkLeadTime(id, standing);
    if (standing.askedAt === undefined) this.#impact(id);
    standing.movingTo = to;
    standing.moveStartedAt = this.#at;
    delete standing.askedAt;
    this.#checkHost(to, this.#instances.get(id)!.group_id);
  }

  #checkLeadTime(id: string, { answered, askedAt = Infinity }: Standing): void {
    const { lead_time: lead = 0 } = this.#instances.get(id)!;
    if (lead === 0 || answered || askedAt + lead <= this.#at + tolerance) return;
    this.#bad(`${id} moves before its answer and its lead time`);
  }

  #endMove(id: string): void {
    const standing = this.#standing.get(id)!;
    const instance = this.#instances.get(id)!;
    if (standing.movingTo === undefined) {
      this.#bad(`${id} ends a move that did not start`);
      return;
    }
    if (this.#at < standing.moveStartedAt! + instance.move_s - tolerance) this.#bad(`${id} moved too quickly`);
    standing.host = standing.movingTo;
    delete standing.movingTo;
    standing.impactedUntil = this.#at + (this.#groups.get(instance.group_id ?? '')?.recovery_time ?? 0);
  }

  #impact(id: string): void {
    this.#standing.get(id)!.impactedUntil = Infinity;
    const group = this.#groups.get(this.#instances.get(id)!.group_id ?? '');
    if (!group) return;
    const impacted = this.fleet.instances.filter(
      (one) =>
        one.group_id === group.group_id && this.#standing.get(one.instance_id)!.impactedUntil > this.#at + tolerance,
    ).length;
    if (impacted > group.max_impacted_members) this.#bad(`group ${group.group_id}: ${impacted} are impacted`);
  }

  /** Room with double allocation, and anti-affinity where a member of the group just came. */
  #checkHost(name: string, groupId: string | undefined): void {
    const host = this.fleet.hosts.find((one) => one.name === name)!;
    const held = this.fleet.instances.filter((one) => {
      const standing = this.#standing.get(one.instance_id)!;
      return standing.host === name || standing.movingTo === name;
    });
    const vcpus = held.reduce((sum, one) => sum + one.vcpus, 0);
    const memory = held.reduce((sum, one) => sum + one.memory_mb, 0);
    if (vcpus > host.vcpus || memory > host.memory_mb) this.#bad(`${name} is overbooked`);
    const group = this.#groups.get(groupId ?? '');
    const members = held.filter((one) => one.group_id === groupId).length;
    if (group?.anti_affinity_group && members > group.max_instances_per_host) {
      this.#bad(`${name} holds ${members} members of ${group.group_id}`);
    }
  }

  #startMaintenance(name: string): void {
    const holders = [...this.#standing.values()].filter(({ host, movingTo }) => host === name || movingTo === name);
    if (!this.#disabled.has(name)) this.#bad(`${name} is maintained enabled`);
    if (holders.length > 0) this.#bad(`${name} is maintained with ${holders.length} instances`);
    this.#maintainingSince.set(name, this.#at);
    const controllers = [...this.#maintainingSince.keys()].filter((one) => this.#isController(one));
    if (controllers.length > 1) this.#bad(`controllers are maintained together: ${controllers.join(', ')}`);
  }

  #endMaintenance(name: string): void {
    const since = this.#maintainingSince.get(name);
    const seconds = this.fleet.hosts.find((one) => one.name === name)!.maintenance_s ?? 0;
    if (since === undefined || this.#at < since + seconds - tolerance) this.#bad(`${name} ends too early`);
    this.#maintainingSince.delete(name);
    this.#maintained.set(name, (this.#maintained.get(name) ?? 0) + 1);
  }

  #checkEnd(): void {
    if (!this.#done) this.#bad('it is never done');
    for (const { name, maintain = true } of this.fleet.hosts) {
      const times = this.#maintained.get(name) ?? 0;
      if (times !== (maintain ? 1 : 0)) this.#bad(`${name} is maintained ${times} times`);
      if (this.#disabled.has(name)) this.#bad(`${name} stays disabled`);
    }
    for (const [id, { movingTo }] of this.#standing) if (movingTo !== undefined) this.#bad(`${id} still moves`);
  }

  #isCompute(name: string): boolean {
    return this.fleet.hosts.find((one) => one.name === name)?.type === 'compute';
  }

  #isController(name: string): boolean {
    return this.fleet.hosts.find((one) => one.name === name)?.type === 'controller';
  }

  #bad(what: string): void {
    this.violations.push(`at ${this.#at}: ${what}`);
  }
}
