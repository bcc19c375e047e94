/**
 * Sessions in virtual time as plans play them, with faults put in: managers of every manner, moves and maintenances of
 * random length that may fail, steps that take time, and a fleet that others change meanwhile.
 */
import { movesElsewhere } from '../../rules/cloud/departure';
import type { Claim, Fleet, Group, Host, Instance } from '../../rules/decisions/fleet/fleet';
import { isUnderWork } from '../../rules/decisions/fleet/host-work';
import { withDefaultImpact } from '../../rules/decisions/limits/default-impact';
import { scaleInNeed } from '../../rules/decisions/scale-in/scale-in-need';
import type { Faults, MoveOutcome } from '../../rules/simulation/faults';
import type { Ending } from '../../rules/simulation/session-to-play';
import { simulatedActions } from '../../rules/simulation/simulated-actions';
import { VirtualSessions } from '../../rules/simulation/virtual-sessions';
import { pick, type Random } from '../builders/random';
import type { Trace } from '../checker/trace';
import { ChangingFleet, sizeIn } from './changing-fleet';
import { Managers, type Manner } from './managers';
import { WatchedDecisions } from './watched-decisions';

export interface RunOptions {
  readonly workflow: 'default' | 'vnf';
  /** Every project has one of them; prompt where it is left out. */
  readonly manners?: readonly Manner[];
  /** Replaces `manners`. */
  readonly mannerOf?: (projectId: string) => Manner;
  readonly maxParallelHosts?: number;
  /** The number of times, within the first ten minutes, that something of that kind happens. */
  readonly vanishing?: number;
  readonly appearing?: number;
  readonly changing?: number;
  readonly failingHosts?: number;
  /** Share of the moves that fail for good. */
  readonly hopeless?: number;
}

export interface Outcome {
  readonly endings: readonly Ending[];
  readonly trace: Trace;
  readonly problems: readonly string[];
  readonly moves: { readonly begun: number; readonly ended: number; readonly asked: number; readonly least: number };
}

const disturbedMs = 600_000;
const longestMaintenanceMs = 600_000;
const longestMoveMs = 90_000;
const ownActionMs = 600_000;
/** Each step takes no longer than this. */
const lagsMs = { disable: 2_000, ask: 1_000, announce: 500, release: 1_000 } as const;
const limits = { maxFailedHosts: 0, defaultImpactShare: 0.25 };
const maxScaleIns = 3;

export class TroubledRun {
  readonly #sessions: VirtualSessions;
  readonly #fleet: ChangingFleet;
  readonly #managers: Managers;
  readonly #watched: WatchedDecisions;
  readonly #owned: ReadonlyMap<string, readonly string[]>;
  readonly #least: number;
  readonly #scaleIns = new Map<string, number>();
  #replacements = 0;

  constructor(
    fleet: Fleet,
    private readonly options: RunOptions,
    private readonly random: Random,
  ) {
    const { workflow, manners = ['prompt'], mannerOf = () => pick(manners, random), maxParallelHosts } = options;
    const isByInstance = workflow === 'vnf';
    const withLimits = (one: Fleet): Fleet => (isByInstance ? withDefaultImpact(one, limits.defaultImpactShare) : one);
    this.#managers = new Managers(mannerOf, random);
    this.#watched = new WatchedDecisions(workflow);
    this.#owned = ownedIn(fleet);
    const own = new Set([...this.#owned.values()].flat());
    this.#least = fleet.instances.filter(({ host }) => own.has(host)).length;
    const cap = maxParallelHosts === undefined ? {} : { maxParallelHosts };
    this.#sessions = new VirtualSessions({
      fleet: withLimits({ ...fleet, hosts: fleet.hosts.map(asFound) }),
      startMs: 0,
      sessions: [...this.#owned.keys()].map((sessionId) => ({
        ...{ sessionId, worksLike: workflow, limits: { ...limits, ...cap }, beginsAtMs: 0 },
      })),
      times: {
        maintenanceMs: () => this.#upTo(longestMaintenanceMs),
        moveMs: (instance, action) =>
          action === 'OWN_ACTION' && this.#isLying(instance) ? ownActionMs : this.#upTo(longestMoveMs),
        answerMs: (...asked) => this.#managers.answerMs(...asked),
      },
      replySeconds: 6,
      actionOf: (...asked) => this.#managers.actionOf(...asked),
      watch: (...decided) => this.#watched.watch(...decided),
      faults: this.#faults(),
    });
    this.#fleet = new ChangingFleet(
      this.#sessions.world,
      isByInstance ? limits.defaultImpactShare : undefined,
      withLimits,
    );
  }

  run(): Outcome {
    this.#disturb();
    const endings = [...this.#owned.keys()].map((sessionId) => this.#sessions.runUntilEndOf(sessionId));
    const sessions = [...this.#owned.values()].map((hosts, at) => ({
      hosts,
      isDone: endings[at]?.kind === 'complete',
    }));
    const trace = this.#fleet.trace(sessions);
    const noted = (name: string): number => trace.events.filter(({ event }) => event === name).length;
    return {
      endings,
      trace,
      problems: this.#watched.problems,
      moves: {
        begun: noted('move_start'),
        ended: noted('move_end'),
        asked: noted('notify'),
        least: this.#least,
      },
    };
  }

  #faults(): Faults {
    return {
      nackRetrySeconds: 5,
      nackRetries: 2,
      lagMs: (step) => this.#upTo(lagsMs[step]),
      isRefused: (instances) => this.#managers.isRefused(instances),
      mayBegin: (claim) => this.#fleet.mayBegin(claim),
      outcomeOf: (claim, moveMs) => this.#outcomeOf(claim, moveMs),
      failsMaintenance: () => false,
      freesCapacity: (sessionId) => this.#scaleIn(sessionId),
    };
  }

  #upTo(mostMs: number): number {
    return Math.ceil(this.random() * mostMs);
  }

  #isLying({ projectId }: Instance): boolean {
    return this.#managers.mannerOf(projectId) === 'lying';
  }

  #outcomeOf(claim: Claim, moveMs: number): MoveOutcome {
    const instance = this.#sessions.world.model.instanceById.get(claim.instanceId);
    if (claim.action === 'OWN_ACTION') {
      if (instance && this.#isLying(instance)) return 'expired';
      if (this.random() < 0.5) this.#replace(claim, moveMs);
      return 'done';
    }
    if (this.random() < (this.options.hopeless ?? 0)) return 'failed';
    return claim.action === 'LIVE_MIGRATE' && this.random() < 0.2 ? 'forced' : 'done';
  }

  /** A new instance comes first, then the old one goes. */
  #replace({ instanceId, target }: Claim, moveMs: number): void {
    const { world } = this.#sessions;
    world.after(moveMs / 2, () => {
      const old = world.model.instanceById.get(instanceId);
      if (old === undefined) return;
      this.#replacements += 1;
      this.#appear({ ...old, id: `${old.id}-${this.#replacements}`, host: target }, old.id);
    });
    world.after(moveMs, () => this.#fleet.vanish(instanceId));
  }

  #appear(instance: Instance, replaces?: string): void {
    this.#fleet.appear(instance, replaces);
    this.#sessions.askAnew(instance.id);
  }

  /** Projects delete instances until the capacity that is missing is free. */
  #scaleIn(sessionId: string): boolean {
    const { model } = this.#sessions.world;
    const need = scaleInNeed(model.snapshot(), sessionId);
    if (need === undefined) return true;
    const before = this.#scaleIns.get(sessionId) ?? 0;
    this.#scaleIns.set(sessionId, before + 1);
    if (before >= maxScaleIns) return false;
    let missing = sizeIn(need.missing).vcpus;
    for (const { id, projectId, amounts } of this.#fleet.instances) {
      if (missing <= 0 || !need.projectIds.includes(projectId) || model.claimByInstance.has(id)) continue;
      missing -= sizeIn(amounts).vcpus;
      this.#fleet.vanish(id);
    }
    return true;
  }

  // Changes by others

  #disturb(): void {
    const { vanishing = 0, appearing = 0, changing = 0, failingHosts = 0 } = this.options;
    const times = (count: number, happen: (number: number) => void): void => {
      for (let number = 0; number < count; number += 1) {
        this.#sessions.world.after(this.#upTo(disturbedMs), () => happen(number));
      }
    };
    times(vanishing, () => this.#vanish());
    times(appearing, (number) => this.#appearSomewhere(`new-${number}`));
    times(changing, () => this.#changeConstraints());
    times(failingHosts, () => this.#breakHost());
  }

  #vanish(): void {
    const { instances } = this.#fleet;
    if (instances.length > 0) this.#fleet.vanish(pick(instances, this.random).id);
  }

  /** A new instance where the cloud has capacity for it; also on hosts whose disabling is still under way. */
  #appearSomewhere(id: string): void {
    const group = this.#fleet.groups.find(({ maxInstancesPerHost }) => maxInstancesPerHost === undefined);
    const amounts = { VCPU: 1, MEMORY_MB: 1024 };
    const host = this.#fleet.hosts.find((one) => one.isCompute && one.enabled && this.#hasRoom(one, amounts));
    if (!host || !group) return;
    const place = { host: host.name, groupKey: group.key, projectId: 'late' };
    const moving = { departure: movesElsewhere, defaultAction: simulatedActions.default };
    this.#appear({ id, name: id, amounts, ...place, ...moving });
  }

  #hasRoom({ name, amounts }: Host, size: Instance['amounts']): boolean {
    const { model } = this.#sessions.world;
    const holders = [...model.instancesOn(name), ...(model.incomingByHost.get(name) ?? [])];
    const has = (resource: string): boolean =>
      holders.reduce((sum, one) => sum + (one.amounts[resource] ?? 0), size[resource] ?? 0) <= (amounts[resource] ?? 0);
    return has('VCPU') && has('MEMORY_MB');
  }

  /** A group's limits; or an instance's lead time, or its group, where that keeps nobody apart. */
  #changeConstraints(): void {
    const group = pick(
      this.#fleet.groups.filter(({ keptBy }) => keptBy.kind === 'service'),
      this.random,
    );
    const { instances } = this.#fleet;
    if (this.random() < 0.6) this.#fleet.changeGroup(otherLimits(group, this.random));
    else if (instances.length > 0 && group.maxInstancesPerHost === undefined) {
      const instance = pick(instances, this.random);
      this.#fleet.changeInstance({ ...instance, groupKey: group.key, leadTimeSeconds: pick([10, 40], this.random) });
      // No question about it was necessary until now.
      if (instance.leadTimeSeconds === 0) this.#sessions.askAnew(instance.id);
    }
  }

  #breakHost(): void {
    const busy = this.#fleet.hosts.filter(isUnderWork);
    if (busy.length === 0) return;
    const { name } = pick(busy, this.random);
    this.#sessions.hosts.fail(name, `plug-in dummy failed on host ${name}`);
  }
}

/** The possible changes of a group: its limits move, and it stays apart or not. */
const otherLimits = ({ maxInstancesPerHost, ...group }: Group, random: Random): Group => ({
  ...group,
  maxImpactedMembers: pick([1, 2, 3], random),
  recoveryTimeSeconds: pick([0, 30, 120], random),
  ...(maxInstancesPerHost !== undefined && { maxInstancesPerHost: pick([1, 2, 3], random) }),
});

const ownedIn = ({ hosts }: Fleet): ReadonlyMap<string, readonly string[]> => {
  const owned = hosts.flatMap(({ name, work }) => (work ? [{ name, sessionId: work.sessionId }] : []));
  const bySession = Map.groupBy(owned, ({ sessionId }) => sessionId);
  return new Map([...bySession].map(([sessionId, own]) => [sessionId, own.map(({ name }) => name)]));
};

/** A session leaves a host disabled that somebody had disabled before. */
const asFound = ({ work, ...host }: Host): Host => ({
  ...host,
  ...(work && { work: { ...work, disabledBefore: !host.enabled } }),
});
