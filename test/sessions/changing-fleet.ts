/** A fleet in virtual time that others change while sessions run, with its trace for the checker. */
import type { Amounts } from '../../rules/cloud/amounts';
import { isInFlight } from '../../rules/decisions/fleet/double-allocation';
import type { Claim, Fleet, Group, Host, Instance } from '../../rules/decisions/fleet/fleet';
import { limitedBy, limitKeysOf } from '../../rules/decisions/fleet/limit-keys';
import { startOf, type StartView } from '../../rules/decisions/limits/before-start';
import { claimOfGone, isWithoutConstraints, stillCounts } from '../../rules/decisions/limits/impact';
import { limitsOf } from '../../rules/decisions/limits/limits-of-instance';
import type { VirtualWorld } from '../../rules/simulation/virtual-world';
import type { Trace, TracedGroup, TracedInstance, TraceEvent } from '../checker/trace';

export class ChangingFleet {
  readonly #start: Pick<Trace, 'hosts' | 'groups' | 'instances'>;

  constructor(
    private readonly world: VirtualWorld,
    /** Of groups without constraints; undefined: one member at a time. */
    private readonly impactShare: number | undefined,
    /** The fleet with the limits that follow from a change. */
    private readonly withLimits: (fleet: Fleet) => Fleet,
  ) {
    const { hosts, groups, instances } = world.model.snapshot();
    this.#start = {
      // The trace has other labels: the words that instances may need.
      hosts: hosts.map(({ enabled, amounts, labels: _labels, ...host }) => ({
        ...host,
        ...sizeIn(amounts),
        disabled: !enabled,
      })),
      groups: groups.map((group) => this.#tracedGroup(group)),
      instances: instances.map(tracedInstance),
    };
  }

  get hosts(): readonly Host[] {
    return this.world.model.hosts;
  }

  get instances(): readonly Instance[] {
    return [...this.world.model.instanceById.values()];
  }

  get groups(): readonly Group[] {
    return [...this.world.model.groupByKey.values()];
  }

  trace(sessions: Trace['sessions']): Trace {
    const done = { t: this.world.nowMs / 1000, event: 'done' };
    return { ...this.#start, sessions, events: [...this.world.trace.map(asChecked), done] };
  }

  appear(instance: Instance, replaces?: string): void {
    this.#change((fleet) => ({ ...fleet, instances: [...fleet.instances, instance] }));
    this.#note('appear', { as: tracedInstance(instance), ...(replaces !== undefined && { replaces }) });
  }

  vanish(instanceId: string): void {
    const gone = this.world.model.instanceById.get(instanceId);
    if (gone === undefined) return;
    this.#change((fleet) => ({
      ...fleet,
      instances: fleet.instances.filter((one) => one !== gone),
      // Its constraints stay, and name its group (snapshot/read-fleet.ts).
      claims: fleet.claims.map((claim) => (claim.instanceId === instanceId ? claimOfGone(claim, gone) : claim)),
    }));
    this.#note('vanish', { instance: instanceId });
  }

  changeGroup(group: Group): void {
    this.#change((fleet) => ({ ...fleet, groups: fleet.groups.map((one) => (one.key === group.key ? group : one)) }));
    this.#note('limits', { as: this.#tracedGroup(group) });
  }

  changeInstance(instance: Instance): void {
    this.#change((fleet) => ({
      ...fleet,
      instances: fleet.instances.map((one) => (one.id === instance.id ? instance : one)),
    }));
    this.#note('constraints', { as: tracedInstance(instance) });
  }

  /** The last look before an action begins: claims that have begun or were granted earlier come before it. */
  mayBegin(claim: Claim): boolean {
    const { model, nowMs } = this.world;
    const instance = model.instanceById.get(claim.instanceId);
    if (instance === undefined) return false;
    const open = [...model.claimByInstance.values()].filter((one) => stillCounts(one, nowMs));
    const own = open.findIndex(({ instanceId }) => instanceId === claim.instanceId);
    const before = open.filter((one, at) => at !== own && (one.phase !== 'asked' || own < 0 || at < own));
    const view: StartView = {
      claim,
      instance,
      limits: limitsOf(model, instance).map((group) => ({
        group,
        impactedBefore: before.filter((one) => this.#isUnder(one, group.key)).length,
      })),
      isAsked: claim.phase === 'asked',
      isOutdated: false,
      target: {
        name: claim.target,
        host: model.hostByName.get(claim.target),
        instances: model.instancesOn(claim.target),
        incoming: before
          .filter((one) => isInFlight(one) && one.target === claim.target)
          .map((one) => ({ ...one, ...limitedBy(model.instanceById.get(one.instanceId) ?? one) })),
      },
    };
    return startOf(view).kind === 'begin';
  }

  #isUnder(claim: Claim, key: string): boolean {
    const instance = this.world.model.instanceById.get(claim.instanceId);
    return [...limitKeysOf(claim), ...limitKeysOf(instance ?? claim)].includes(key);
  }

  #change(change: (fleet: Fleet) => Fleet): void {
    this.world.change((fleet) => this.withLimits(change(fleet)));
  }

  #note(event: string, fields: Readonly<Record<string, unknown>>): void {
    const trace: TraceEvent[] = this.world.trace;
    trace.push({ t: this.world.nowMs / 1000, event, ...fields });
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

/** The checker knows a question to a project by its instances. */
const asChecked = (noted: TraceEvent): TraceEvent => {
  const { event, instances, window: lead, ...rest } = noted;
  if (event !== 'notify_project' && event !== 'reply_project') return noted;
  return { ...rest, event: event.replace('_project', ''), instances: String(instances).split(' '), lead };
};
