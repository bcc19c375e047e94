/** The fleet as the events of a trace have left it, and what was found to be wrong so far. Counts what is there. */
import type { Rule, Trace, TracedGroup, TracedHost, TracedInstance, TracedSession, Violation } from './trace';

/** Every comparison of times tolerates this. */
export const toleranceSeconds = 0.001;

/** A question that was asked of an instance, or of its project about it, and that no move has used up. */
export interface Leave {
  readonly askedAt: number;
  readonly leadSeconds: number;
  isAnswered: boolean;
}

export interface Impact {
  /**
   * The limits that held when its action began, before that when it was asked: later changes do not touch what goes on.
   */
  readonly terms: TracedGroup;
  /** Its action has begun. */
  readonly isBegun: boolean;
  /** Infinity while it lasts. */
  until: number;
}

export interface Move {
  /** undefined where it goes nowhere that could be. */
  readonly to: string | undefined;
  readonly startedAt: number;
  readonly action: string;
  /** Its replacement has come: it holds the target's capacity itself. */
  isReplaced: boolean;
}

export interface InstanceStanding {
  facts: TracedInstance;
  host: string;
  move?: Move | undefined;
  leave?: Leave | undefined;
  impact?: Impact | undefined;
  /** Its project lets nobody impact it before that time. */
  notBefore?: number | undefined;
  /** Its last move did not come through, so another one may be forced. */
  mayBeForced: boolean;
  isGone: boolean;
}

export interface HostStanding {
  readonly facts: TracedHost;
  isDisabled: boolean;
  maintainedSince?: number | undefined;
  /** Its maintenance failed, and nobody has enabled it since. */
  isLeftOut: boolean;
  timesMaintained: number;
}

export class World {
  t = 0;
  isDone = false;
  readonly violations: Violation[] = [];
  readonly hosts: ReadonlyMap<string, HostStanding>;
  readonly instances: Map<string, InstanceStanding>;
  readonly groups: Map<string, TracedGroup>;
  readonly sessions: readonly TracedSession[];

  constructor({ hosts, groups, instances, sessions }: Trace) {
    this.hosts = new Map(
      hosts.map((facts) => [facts.name, { facts, isDisabled: facts.disabled, isLeftOut: false, timesMaintained: 0 }]),
    );
    this.groups = new Map(groups.map((group) => [group.id, group]));
    this.instances = new Map(instances.map((facts) => [facts.id, standingOf(facts)]));
    this.sessions = sessions;
  }

  bad(rule: Rule, what: string): void {
    this.violations.push({ rule, t: this.t, what });
  }

  /** Instances of which the host holds the capacity: there, or on their way there. */
  holders(hostname: string): readonly InstanceStanding[] {
    return this.present().filter(({ host, move }) => host === hostname || (move?.to === hostname && !move.isReplaced));
  }

  present(): readonly InstanceStanding[] {
    return [...this.instances.values()].filter(({ isGone }) => !isGone);
  }

  /** The limits of the group; one that nobody stored has one member impacted at a time. */
  groupOf({ facts: { groupId } }: InstanceStanding): TracedGroup {
    return this.groups.get(groupId) ?? { id: groupId, maxImpactedMembers: 1, recoverySeconds: 0 };
  }

  /**
   * The number of members of each group of the cloud's own that may share a host, beside the limit of their own group.
   */
  cloudLimitsOf({ facts: { cloudGroupIds = [] } }: InstanceStanding): readonly { id: string; maxPerHost: number }[] {
    return cloudGroupIds.map((id) => ({ id, maxPerHost: this.groups.get(id)?.maxPerHost ?? Infinity }));
  }

  /** The members of the group that are impacted now, including members that are gone. */
  impactedOf(groupId: string): readonly string[] {
    return [...this.instances.values()]
      .filter(({ facts, impact }) => facts.groupId === groupId && this.#lasts(impact))
      .map(({ facts }) => facts.id);
  }

  mostImpacted({ id, maxImpactedMembers, impactShare }: TracedGroup): number {
    if (impactShare === undefined) return maxImpactedMembers;
    const members = this.present().filter(({ facts }) => facts.groupId === id).length;
    return Math.max(1, Math.floor(impactShare * members));
  }

  /** A member is impacted from now on; nothing new where it is already and has not begun to recover. */
  impact(instance: InstanceStanding): void {
    if (instance.impact?.until === Infinity) return;
    const group = this.groupOf(instance);
    instance.impact = { terms: group, until: Infinity, isBegun: false };
    const [impacted, most] = [this.impactedOf(group.id), this.mostImpacted(group)];
    if (impacted.length <= most) return;
    this.bad('R2', `group ${group.id}: ${impacted.length} members impacted (${impacted.join(', ')}), ${most} allowed`);
  }

  /**
   * Its action begins, and the limits that hold now count: with those whose action has begun and those that recover it
   * must keep to them. Who was asked before the limits were lowered, and does not begin, is nobody's fault; nor is a
   * project that was asked before and chose to act on its own: it is at work on it since it answered, and its place was
   * found by the limits of that time.
   */
  begin(instance: InstanceStanding, action: string): void {
    const isOwnAnswer = action === 'OWN_ACTION' && instance.impact?.until === Infinity;
    this.impact(instance);
    if (instance.impact === undefined || instance.impact.isBegun) return;
    const group = this.groupOf(instance);
    const { maxPerHost = Infinity } = isOwnAnswer ? instance.impact.terms : group;
    instance.impact = { ...instance.impact, terms: { ...group, maxPerHost }, isBegun: true };
    if (group.impactShare !== undefined || isOwnAnswer) return;
    const begun = this.impactedOf(group.id).filter((id) => this.#hasBegun(id));
    if (begun.length <= group.maxImpactedMembers) return;
    this.bad(
      'R2',
      `group ${group.id}: ${begun.join(', ')} begun or recovering, ${group.maxImpactedMembers} allowed now`,
    );
  }

  #hasBegun(id: string): boolean {
    const impact = this.instances.get(id)?.impact;
    return impact !== undefined && (impact.isBegun || impact.until !== Infinity);
  }

  recover({ impact }: InstanceStanding): void {
    if (impact?.until === Infinity) impact.until = this.t + impact.terms.recoverySeconds;
  }

  /** To be asked where something more comes to hold the host's capacity. */
  checkCapacity(hostname: string): void {
    const host = this.hosts.get(hostname)?.facts;
    if (!host) return;
    const holders = this.holders(hostname).map(({ facts }) => facts);
    const has = sizesOf(host);
    for (const name of new Set(holders.flatMap((one) => Object.keys(sizesOf(one))))) {
      const held = holders.reduce((sum, one) => sum + (sizesOf(one)[name] ?? 0), 0);
      if (held > (has[name] ?? 0)) this.bad('R3', `host ${hostname}: ${held} of ${has[name] ?? 0} ${name} held`);
    }
  }

  #lasts(impact: Impact | undefined): boolean {
    return impact !== undefined && impact.until > this.t + toleranceSeconds;
  }
}

const sizesOf = ({
  vcpus,
  memoryMb,
  amounts,
}: Pick<TracedHost, 'vcpus' | 'memoryMb' | 'amounts'>): Readonly<Record<string, number>> => ({
  ...{ vcpus, memoryMb },
  ...amounts,
});

export const standingOf = (facts: TracedInstance): InstanceStanding => ({
  facts,
  host: facts.host,
  mayBeForced: false,
  isGone: false,
});
