/**
 * The rows of the service and the simulated cloud, in virtual time: what is on which host, who has leave for what, and
 * the trace of what happens to them, for the checker. Decisions see copies of them.
 */
import type { Amounts } from '../../rules/cloud/amounts';
import type { Claim, Fleet, Group, Host, HostWork, Instance } from '../../rules/decisions/fleet/fleet';
import { limitKeysOf } from '../../rules/decisions/fleet/limit-keys';
import type { StartView } from '../../rules/decisions/limits/before-start';
import { claimOfGone, isWithoutConstraints, stillCounts } from '../../rules/decisions/limits/impact';
import type { Trace, TracedGroup, TracedInstance, TraceEvent } from '../checker/trace';

export type Changing<T> = { -readonly [Key in keyof T]: T[Key] };
export type ChangingHost = Omit<Changing<Host>, 'work'> & { work?: Changing<HostWork> };
export type ChangingClaim = Changing<Claim> & { recoveryMs: number };

export class SimulatedRows {
  readonly hosts = new Map<string, ChangingHost>();
  readonly instances = new Map<string, Changing<Instance>>();
  readonly groups = new Map<string, Group>();
  readonly claims = new Map<string, ChangingClaim>();
  readonly reserved = new Map<string, string>();
  readonly events: TraceEvent[] = [];
  nowMs = 0;
  readonly #start: Pick<Trace, 'hosts' | 'groups' | 'instances'>;

  /** @param impactShare of groups without constraints; undefined: one member at a time */
  constructor(
    fleet: Fleet,
    private readonly impactShare: number | undefined,
  ) {
    for (const { work, ...host } of fleet.hosts) {
      this.hosts.set(host.name, { ...host, ...(work && { work: { ...work } }) });
    }
    for (const instance of fleet.instances) this.instances.set(instance.id, { ...instance });
    for (const group of fleet.groups) this.groups.set(group.key, group);
    this.#start = {
      hosts: fleet.hosts.map(({ enabled, amounts, ...host }) => ({ ...host, ...sizeIn(amounts), disabled: !enabled })),
      groups: fleet.groups.map((group) => this.#tracedGroup(group)),
      instances: fleet.instances.map(tracedInstance),
    };
  }

  /** The rows in the form for decisions. */
  snapshot(): Fleet {
    return {
      hosts: [...this.hosts.values()].map(({ work, ...host }) => ({ ...host, ...(work && { work: { ...work } }) })),
      instances: [...this.instances.values()].map((instance) => ({ ...instance })),
      groups: [...this.groups.values()],
      claims: [...this.claims.values()].map(({ recoveryMs: _, ...claim }) => claim),
      reservations: [...this.reserved].map(([instanceId, target]) => ({ instanceId, target })),
    };
  }

  trace(sessions: Trace['sessions']): Trace {
    return { ...this.#start, sessions, events: [...this.events, { t: this.nowMs / 1000, event: 'done' }] };
  }

  note(event: string, fields: Readonly<Record<string, unknown>>): void {
    this.events.push({ t: this.nowMs / 1000, event, ...fields });
  }

  disable(host: ChangingHost): void {
    if (host.enabled) this.note('disable', { host: host.name });
    host.enabled = false;
  }

  enable(host: ChangingHost): void {
    if (!host.enabled) this.note('enable', { host: host.name });
    host.enabled = true;
  }

  appear(instance: Instance, replaces?: string): void {
    this.instances.set(instance.id, { ...instance });
    this.note('appear', { as: tracedInstance(instance), ...(replaces !== undefined && { replaces }) });
  }

  vanish(instanceId: string): void {
    const [gone, claim] = [this.instances.get(instanceId), this.claims.get(instanceId)];
    if (gone === undefined) return;
    this.instances.delete(instanceId);
    // Its constraints stay, and name its group (snapshot/read-fleet.ts).
    if (claim !== undefined) Object.assign(claim, claimOfGone(claim, gone));
    this.note('vanish', { instance: instanceId });
  }

  changeGroup(group: Group): void {
    this.groups.set(group.key, group);
    this.note('limits', { as: this.#tracedGroup(group) });
  }

  changeInstance(instance: Instance): void {
    this.instances.set(instance.id, { ...instance });
    this.note('constraints', { as: tracedInstance(instance) });
  }

  on(hostname: string): Changing<Instance>[] {
    return [...this.instances.values()].filter(({ host }) => host === hostname);
  }

  /** Claims asked or moving. */
  inFlight(): ChangingClaim[] {
    return [...this.claims.values()].filter(({ phase }) => phase !== 'recovering');
  }

  /** The facts for the look before an action begins: claims that have begun or were granted earlier come before it. */
  startOf(claim: ChangingClaim): StartView {
    const instance = this.instances.get(claim.instanceId)!;
    const all = [...this.claims.values()].filter((one) => stillCounts(one, this.nowMs));
    const before = all.filter((one, at) => one !== claim && (one.phase !== 'asked' || at < all.indexOf(claim)));
    const isUnder = (one: ChangingClaim, key: string): boolean =>
      limitKeysOf(one).includes(key) || limitKeysOf(this.instances.get(one.instanceId) ?? one).includes(key);
    return {
      claim,
      instance,
      limits: limitKeysOf(instance).map((key) => ({
        group: this.groups.get(key)!,
        impactedBefore: before.filter((one) => isUnder(one, key)).length,
      })),
      isAsked: claim.phase === 'asked',
      isOutdated: false,
      target: {
        name: claim.target,
        host: this.hosts.get(claim.target),
        instances: this.on(claim.target),
        incoming: before.filter(({ phase, target }) => phase !== 'recovering' && target === claim.target),
      },
    };
  }

  /** The capacity of the host beside all instances that are there, or may come. */
  free({ name, amounts }: ChangingHost): { vcpus: number; memoryMb: number } {
    const holders = [...this.on(name), ...this.inFlight().filter(({ target }) => target === name)];
    const { vcpus, memoryMb } = sizeIn(amounts);
    return {
      vcpus: vcpus - holders.reduce((sum, one) => sum + sizeIn(one.amounts).vcpus, 0),
      memoryMb: memoryMb - holders.reduce((sum, one) => sum + sizeIn(one.amounts).memoryMb, 0),
    };
  }

  host(name: string): ChangingHost {
    return this.hosts.get(name)!;
  }

  /** Recoveries that are over count no more. */
  forgetRecovered(): void {
    for (const { instanceId, recoversAtMs = Infinity } of [...this.claims.values()]) {
      if (recoversAtMs <= this.nowMs) this.claims.delete(instanceId);
    }
  }

  #tracedGroup({ key, maxInstancesPerHost, ...group }: Group): TracedGroup {
    return {
      id: key,
      maxImpactedMembers: group.maxImpactedMembers,
      recoverySeconds: group.recoveryTimeSeconds,
      ...(maxInstancesPerHost !== undefined && { maxPerHost: maxInstancesPerHost }),
      ...(isWithoutConstraints(group) && this.impactShare !== undefined && { impactShare: this.impactShare }),
    };
  }
}

export const sizeIn = ({ VCPU = 0, MEMORY_MB = 0 }: Amounts): { vcpus: number; memoryMb: number } => ({
  ...{ vcpus: VCPU, memoryMb: MEMORY_MB },
});

const tracedInstance = ({ id, leadTimeSeconds, ...instance }: Instance): TracedInstance => ({
  id,
  groupId: instance.groupKey,
  ...(instance.furtherLimitKeys && { cloudGroupIds: instance.furtherLimitKeys }),
  host: instance.host,
  ...sizeIn(instance.amounts),
  ...(leadTimeSeconds !== undefined && { leadSeconds: leadTimeSeconds }),
});
