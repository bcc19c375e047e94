/**
 * Sessions of the workflow `default` in virtual time: what decideDefault says is carried out with random answers, moves
 * and maintenances, and every rule is checked at every change, by counting what is there (it shares no code with planning).
 */
import { stateAfterLook } from '../../../planning/beginning';
import { type PlanningLimits, decideDefault } from '../../../planning/decide-default';
import type { Admission, Decision } from '../../../planning/decision';
import type { Action, Claim, Fleet, Group, Host, HostWork, Instance, SessionState } from '../../../planning/fleet';
import { scaleInNeed } from '../../../planning/scale-in';

export type Random = () => number;

/** mulberry32: the same seed gives the same run on every machine. */
export const randomFrom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export interface Disturbances {
  /** Instances that vanish, and new ones that appear on a random enabled host, while sessions run. */
  readonly vanishing: number;
  readonly appearing: number;
}

interface Session {
  readonly id: string;
  state: SessionState;
  failure?: string;
  scaleIns: number;
  decisions: number;
}

interface Happening {
  readonly atMs: number;
  readonly happen: () => void;
}

export interface Outcome {
  readonly sessions: readonly { readonly id: string; readonly state: SessionState; readonly failure?: string }[];
  readonly hosts: readonly Host[];
  readonly moves: number;
  readonly movesGranted: number;
  /** Still under way at the end: a failed session does not wait for them here. */
  readonly movesUnderWay: number;
  /** Instances on hosts of a session at the start. */
  readonly leastMoves: number;
  readonly maintenances: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
}

type Changing<T> = { -readonly [Key in keyof T]: T[Key] };
type ChangingHost = Omit<Changing<Host>, 'work'> & { work?: Changing<HostWork> };

const limits: PlanningLimits = { releases: 2 };
const maxScaleIns = 3;
const maxDecisions = 20_000;

export class SimulatedRolling {
  readonly #hosts = new Map<string, ChangingHost>();
  readonly #instances = new Map<string, Changing<Instance>>();
  readonly #groups: readonly Group[];
  readonly #claims = new Map<string, Changing<Claim>>();
  readonly #ready = new Map<string, Map<string, Action>>();
  readonly #sessions: Session[];
  readonly #happenings: Happening[] = [];
  readonly #maintenances = new Map<string, number>();
  readonly #violations: string[] = [];
  readonly #leastMoves: number;
  #nowMs = 0;
  #moves = 0;
  #granted = 0;

  constructor(
    fleet: Fleet,
    private readonly random: Random,
  ) {
    for (const { work, ...host } of fleet.hosts)
      this.#hosts.set(host.name, { ...host, ...(work && { work: { ...work } }) });
    for (const instance of fleet.instances) this.#instances.set(instance.id, { ...instance });
    this.#groups = fleet.groups;
    this.#leastMoves = fleet.instances.filter(({ host }) => this.#host(host).work !== undefined).length;
    const ids = new Set(fleet.hosts.flatMap(({ work }) => (work ? [work.sessionId] : [])));
    this.#sessions = [...ids].map((id) => ({ id, state: stateAfterLook(fleet, id), scaleIns: 0, decisions: 0 }));
  }

  run({ vanishing, appearing }: Disturbances): Outcome {
    for (let count = 0; count < vanishing; count += 1) this.#after(600_000, () => this.#vanish());
    for (let count = 0; count < appearing; count += 1) this.#after(600_000, () => this.#appear(`new-${count}`));
    this.#decideAll();
    while (this.#running().length > 0 && this.#violations.length === 0) this.#step();
    return {
      sessions: this.#sessions,
      hosts: [...this.#hosts.values()],
      moves: this.#moves,
      movesGranted: this.#granted,
      movesUnderWay: [...this.#claims.values()].filter(({ phase }) => phase === 'moving').length,
      leastMoves: this.#leastMoves,
      maintenances: this.#maintenances,
      violations: this.#violations,
    };
  }

  #step(): void {
    this.#happenings.sort((one, other) => one.atMs - other.atMs);
    const next = this.#happenings.shift();
    if (!next) {
      this.#violations.push(`nothing happens any more, and nothing is decided: ${JSON.stringify(this.#running())}`);
      return;
    }
    this.#nowMs = next.atMs;
    next.happen();
    this.#forgetRecovered();
    this.#decideAll();
    this.#check();
  }

  #after(withinMs: number, happen: () => void): void {
    this.#happenings.push({ atMs: this.#nowMs + 1 + Math.floor(this.random() * withinMs), happen });
  }

  #running(): Session[] {
    return this.#sessions.filter(({ state }) => state !== 'MAINTENANCE_COMPLETE' && state !== 'MAINTENANCE_FAILED');
  }

  #fleet(): Fleet {
    return {
      hosts: [...this.#hosts.values()].map((host) => ({ ...host, ...(host.work && { work: { ...host.work } }) })),
      instances: [...this.#instances.values()].map((instance) => ({ ...instance })),
      groups: this.#groups,
      claims: [...this.#claims.values()].map((claim) => ({ ...claim })),
    };
  }

  /** Decides for every session until none has anything new to do. */
  #decideAll(): void {
    for (let changed = true; changed && this.#violations.length === 0;) {
      changed = this.#running()
        .map((session) => this.#decide(session))
        .some(Boolean);
    }
  }

  #decide(session: Session): boolean {
    session.decisions += 1;
    if (session.decisions > maxDecisions) this.#violations.push(`session ${session.id} decides for ever`);
    if (session.state === 'SCALE_IN') return this.#scaleIn(session);
    const ready = this.#ready.get(session.id) ?? new Map<string, Action>();
    const fleet = this.#fleet();
    const decision = decideDefault({ sessionId: session.id, state: session.state, fleet, ready }, this.#nowMs, limits);
    return this.#carryOut(session, decision);
  }

  #carryOut(session: Session, decision: Decision): boolean {
    this.#checkDecision(decision);
    if (decision.failure !== undefined) this.#fail(session, decision.failure);
    session.state = decision.next ?? session.state;
    for (const hostname of decision.open) this.#open(session, hostname);
    for (const admission of decision.admit) this.#move(session, admission);
    for (const hostname of decision.begin) this.#begin(hostname);
    for (const hostname of decision.release) this.#release(hostname);
    const work = [decision.open, decision.admit, decision.begin, decision.release].flat();
    return decision.failure !== undefined || decision.next !== undefined || work.length > 0;
  }

  #checkDecision({ lookAgainMs, waiting }: Decision): void {
    if (lookAgainMs < 50 || lookAgainMs > 60_000) this.#violations.push(`looks again after ${lookAgainMs} ms`);
    const unclear = waiting.filter(({ subject }) => subject === '');
    if (unclear.length > 0) this.#violations.push(`waits for nothing: ${JSON.stringify(unclear)}`);
    const twice = waiting.length - new Set(waiting.map(({ who }) => who)).size;
    if (twice > 0) this.#violations.push(`${twice} of ${JSON.stringify(waiting)} have several reasons`);
  }

  #fail(session: Session, failure: string): void {
    session.state = 'MAINTENANCE_FAILED';
    session.failure = failure;
    for (const host of this.#hosts.values()) {
      if (host.work?.sessionId !== session.id || host.work.phase === 'maintained') continue;
      if (host.work.phase === 'emptying') this.#giveBack(host);
    }
  }

  #scaleIn(session: Session): boolean {
    const need = scaleInNeed(this.#fleet(), session.id);
    if (need) {
      session.scaleIns += 1;
      if (session.scaleIns > maxScaleIns) {
        this.#fail(session, `missing ${need.missingVcpus} vcpus and ${need.missingMemoryMb} MB on ${need.host}`);
        return true;
      }
      this.#giveUpRoom(need.projectIds, need.missingVcpus);
    }
    session.state = stateAfterLook(this.#fleet(), session.id);
    return true;
  }

  #giveUpRoom(projectIds: readonly string[], vcpus: number): void {
    let freed = 0;
    for (const instance of [...this.#instances.values()]) {
      if (freed >= vcpus) return;
      if (!projectIds.includes(instance.projectId) || this.#claims.has(instance.id)) continue;
      freed += instance.vcpus;
      this.#instances.delete(instance.id);
    }
  }

  #open(session: Session, hostname: string): void {
    const host = this.#host(hostname);
    if (host.work?.phase !== 'waiting' || host.work.sessionId !== session.id) {
      this.#violations.push(`${hostname} is opened in phase ${String(host.work?.phase)}`);
      return;
    }
    const { work } = host;
    work.phase = 'emptying';
    this.#after(2_000, () => {
      work.disabledBefore = !host.enabled;
      host.enabled = false;
      work.disabled = true;
      this.#ask(session, host);
    });
  }

  /** Answers come in any order; who appears later is asked later. */
  #ask(session: Session, host: ChangingHost): void {
    const ready = this.#ready.get(session.id) ?? new Map<string, Action>();
    this.#ready.set(session.id, ready);
    for (const { id } of this.#on(host.name)) this.#after(20_000, () => ready.set(id, 'LIVE_MIGRATE'));
  }

  #move(session: Session, { instanceId, groupKey, source, target, action }: Admission): void {
    const instance = this.#instances.get(instanceId);
    const to = this.#host(target);
    if (!instance || instance.host !== source) this.#violations.push(`${instanceId} is not on ${source}`);
    if (!instance) return;
    if (!to.enabled || !to.isCompute || isUnderWork(to)) this.#violations.push(`${instanceId} may not go to ${target}`);
    if (this.#claims.has(instanceId)) this.#violations.push(`${instanceId} is claimed twice`);
    if (!this.#ready.get(session.id)?.has(instanceId)) this.#violations.push(`${instanceId} moves before its answer`);
    const { vcpus, memoryMb } = instance;
    this.#granted += 1;
    const claim = {
      id: instanceId,
      sessionId: session.id,
      instanceId,
      groupKey,
      source,
      target,
      action,
      vcpus,
      memoryMb,
    };
    this.#claims.set(instanceId, { ...claim, phase: 'moving' });
    this.#checkAffinity(target, groupKey);
    this.#after(90_000, () => this.#moved(instanceId));
  }

  #moved(instanceId: string): void {
    const claim = this.#claims.get(instanceId)!;
    const instance = this.#instances.get(instanceId);
    if (instance) instance.host = claim.target;
    this.#askAboutArrival(claim.target);
    const recoveryMs = (this.#groups.find(({ key }) => key === claim.groupKey)?.recoveryTimeSeconds ?? 0) * 1000;
    this.#moves += 1;
    this.#ready.get(claim.sessionId)?.delete(instanceId);
    this.#claims.set(instanceId, { ...claim, phase: 'recovering', recoversAtMs: this.#nowMs + recoveryMs });
    this.#happenings.push({ atMs: this.#nowMs + recoveryMs, happen: () => undefined });
  }

  #forgetRecovered(): void {
    for (const { instanceId, recoversAtMs = Infinity } of [...this.#claims.values()]) {
      if (recoversAtMs <= this.#nowMs) this.#claims.delete(instanceId);
    }
  }

  #begin(hostname: string): void {
    const host = this.#host(hostname);
    const { work } = host;
    if (host.enabled || work?.phase !== 'emptying') this.#violations.push(`${hostname} begins enabled`);
    if (this.#on(hostname).length > 0 || this.#incoming(hostname).length > 0) {
      this.#violations.push(`${hostname} begins with something on it`);
    }
    if (!work) return;
    work.phase = 'maintaining';
    this.#after(500, () => (work.announced = true));
    this.#after(600_000, () => this.#maintained(host, work));
  }

  #maintained(host: ChangingHost, work: Changing<HostWork>): void {
    this.#maintenances.set(host.name, (this.#maintenances.get(host.name) ?? 0) + 1);
    work.phase = 'maintained';
    host.enabled = !work.disabledBefore;
  }

  #release(hostname: string): void {
    const host = this.#host(hostname);
    if (host.work?.phase !== 'emptying') this.#violations.push(`${hostname} is released in no work`);
    if (host.work) host.work.phase = 'releasing';
    this.#after(1_000, () => this.#giveBack(host));
  }

  #giveBack(host: ChangingHost): void {
    if (!host.work) return;
    host.enabled = !host.work.disabledBefore;
    host.work = { ...host.work, phase: 'waiting', disabled: false, releases: host.work.releases + 1 };
  }

  #vanish(): void {
    const unclaimed = [...this.#instances.keys()].filter((id) => !this.#claims.has(id));
    const id = unclaimed[Math.floor(this.random() * unclaimed.length)];
    if (id !== undefined) this.#instances.delete(id);
  }

  /** A new instance where the cloud has room for it; also on hosts whose disabling is still under way. */
  #appear(id: string): void {
    const [group] = this.#groups;
    const hosts = [...this.#hosts.values()].filter((host) => host.isCompute && host.enabled);
    const host = hosts.find(
      ({ name, vcpus, memoryMb }) => this.#held(name).vcpus < vcpus && this.#held(name).memoryMb + 1024 <= memoryMb,
    );
    if (!host || !group || group.maxInstancesPerHost !== undefined) return;
    const instance = {
      id,
      name: id,
      projectId: 'late',
      host: host.name,
      vcpus: 1,
      memoryMb: 1024,
      groupKey: group.key,
    };
    this.#instances.set(id, { ...instance, resourceMitigation: false });
    this.#askAboutArrival(host.name);
  }

  #askAboutArrival(hostname: string): void {
    const host = this.#host(hostname);
    const session = this.#sessions.find(({ id }) => id === host.work?.sessionId);
    if (session && isUnderWork(host)) this.#after(20_000, () => this.#ask(session, host));
  }

  // The rules, counted from what is there

  #check(): void {
    for (const { key, maxImpactedMembers } of this.#groups) {
      const impacted = [...this.#claims.values()].filter(({ groupKey }) => groupKey === key).length;
      if (impacted > maxImpactedMembers) this.#violations.push(`group ${key}: ${impacted} impacted`);
    }
    for (const host of this.#hosts.values()) {
      const held = this.#held(host.name);
      if (held.vcpus > host.vcpus || held.memoryMb > host.memoryMb) this.#violations.push(`${host.name} is overbooked`);
    }
    this.#checkWork();
  }

  #checkWork(): void {
    const hosts = [...this.#hosts.values()];
    const controllers = hosts.filter((host) => host.type === 'controller' && isUnderWork(host));
    if (controllers.length > 1) this.#violations.push('two controllers are under work');
    for (const { id } of this.#sessions) {
      const emptied = hosts.filter(({ name, work }) => work?.sessionId === id && this.#claimsLeaving(name));
      if (emptied.length > 1) this.#violations.push(`session ${id} empties ${emptied.length} hosts at once`);
    }
  }

  #claimsLeaving(hostname: string): boolean {
    return [...this.#claims.values()].some(({ phase, source }) => phase === 'moving' && source === hostname);
  }

  #checkAffinity(hostname: string, groupKey: string): void {
    const group = this.#groups.find(({ key }) => key === groupKey);
    const members = [...this.#on(hostname), ...this.#incoming(hostname)].filter((one) => one.groupKey === groupKey);
    if (members.length > (group?.maxInstancesPerHost ?? Infinity)) {
      this.#violations.push(`${hostname}: ${members.length} members of ${groupKey}`);
    }
  }

  #held(hostname: string): { vcpus: number; memoryMb: number } {
    const holders = [...this.#on(hostname), ...this.#incoming(hostname)];
    return {
      vcpus: holders.reduce((sum, { vcpus }) => sum + vcpus, 0),
      memoryMb: holders.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
    };
  }

  #on(hostname: string): Instance[] {
    return [...this.#instances.values()].filter(({ host }) => host === hostname);
  }

  #incoming(hostname: string): Claim[] {
    return [...this.#claims.values()].filter(({ phase, target }) => phase === 'moving' && target === hostname);
  }

  #host(name: string): ChangingHost {
    return this.#hosts.get(name)!;
  }
}

function isUnderWork({ work }: { readonly work?: { readonly phase: string } }): boolean {
  return ['emptying', 'maintaining', 'releasing'].includes(work?.phase ?? '');
}
