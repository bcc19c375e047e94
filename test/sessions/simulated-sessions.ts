/**
 * Sessions in virtual time: what is decided from a snapshot is carried out as the service does it, with managers
 * of every manner, moves and maintenances of random length, and a fleet that others change meanwhile. The checker
 * judges the trace; what no trace shows (a decision that makes no sense, a run that does not end) is noted as a
 * problem.
 */
import { movesElsewhere } from '../../rules/cloud/departure';
import type { Decision, SessionView } from '../../rules/decisions/decision';
import type { Action, Fleet, Instance, Reservation, SessionState } from '../../rules/decisions/fleet/fleet';
import { scaleInNeed } from '../../rules/decisions/scale-in/scale-in-need';
import { stateAfterLook } from '../../rules/decisions/scale-in/when-to-scale-in';
import type { Reason } from '../../rules/reasons/reason';
import { EventQueue } from '../../rules/simulation/event-queue';
import { simulatedActions } from '../../rules/simulation/simulated-actions';
import { decideAllVnf } from '../../rules/steps/decide-all-vnf';
import { decideDefault } from '../builders/decide-default';
import { pick, type Random } from '../builders/random';
import type { Trace } from '../checker/trace';
import type { Manner } from './simulated-managers';
import { otherLimits, SimulatedMoves } from './simulated-moves';
import { type ChangingHost, SimulatedRows, sizeIn } from './simulated-rows';

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

interface Session {
  readonly id: string;
  readonly hostnames: readonly string[];
  state: SessionState;
  failure?: string;
  scaleIns: number;
  decisions: number;
  drainOrder?: readonly string[] | undefined;
  /** Asked about as a whole, by host (`default`): how each instance may move. */
  readonly ready: Map<string, Action>;
  /** Whose answer is awaited. */
  readonly asked: Set<string>;
}

export interface Outcome {
  readonly sessions: readonly Readonly<Pick<Session, 'id' | 'state' | 'failure' | 'hostnames'>>[];
  readonly trace: Trace;
  readonly problems: readonly string[];
  readonly moves: {
    readonly granted: number;
    readonly ended: number;
    readonly underWay: number;
    readonly least: number;
  };
}

const disturbedMs = 600_000;
const longestAnswerMs = 20_000;
const longestMaintenanceMs = 600_000;
const limits = { maxFailedHosts: 0, defaultImpactShare: 0.25 };
const maxScaleIns = 3;
const maxDecisions = 20_000;

export class SimulatedSessions {
  readonly #rows: SimulatedRows;
  readonly #moves: SimulatedMoves;
  readonly #sessions: readonly Session[];
  readonly #queue = new EventQueue<() => void>();
  readonly #problems: string[] = [];
  readonly #least: number;
  readonly #mannerOf = new Map<string, Manner>();

  constructor(
    fleet: Fleet,
    private readonly options: RunOptions,
    private readonly random: Random,
  ) {
    this.#rows = new SimulatedRows(fleet, options.workflow === 'vnf' ? limits.defaultImpactShare : undefined);
    const owned = fleet.hosts.flatMap(({ name, work }) => (work ? [{ name, sessionId: work.sessionId }] : []));
    this.#least = fleet.instances.filter(({ host }) => owned.some(({ name }) => name === host)).length;
    this.#sessions = [...new Set(owned.map(({ sessionId }) => sessionId))].map((id) => ({
      id,
      hostnames: owned.filter(({ sessionId }) => sessionId === id).map(({ name }) => name),
      state: stateAfterLook(fleet, id),
      scaleIns: 0,
      decisions: 0,
      ready: new Map(),
      asked: new Set(),
    }));
    for (const { projectId } of fleet.instances) this.#giveManner(projectId);
    this.#moves = new SimulatedMoves({
      rows: this.#rows,
      random,
      mannerOf: (projectId) => this.#mannerOf.get(projectId) ?? 'prompt',
      hopeless: options.hopeless ?? 0,
      after: (ms, happen) => this.#after(ms, happen),
      failSession: (sessionId, failure) => this.#fail(this.#session(sessionId), failure),
      failHost: (hostname, failure) => this.#failHost(this.#rows.host(hostname), failure),
      arrived: (hostname, instanceId) => {
        for (const { ready } of this.#sessions) ready.delete(instanceId);
        this.#askAboutArrival(hostname);
      },
    });
  }

  run(): Outcome {
    this.#disturb();
    this.#decideAll();
    while (this.#running().length > 0 && this.#problems.length === 0) this.#step();
    const { granted, ended } = this.#moves;
    return {
      sessions: this.#sessions,
      trace: this.#rows.trace(
        this.#sessions.map(({ hostnames, state }) => ({ hosts: hostnames, isDone: state === 'MAINTENANCE_COMPLETE' })),
      ),
      problems: this.#problems,
      moves: { granted, ended, underWay: this.#rows.inFlight().length, least: this.#least },
    };
  }

  #giveManner(projectId: string): void {
    const { manners = ['prompt'], mannerOf = () => pick(manners, this.random) } = this.options;
    if (!this.#mannerOf.has(projectId)) this.#mannerOf.set(projectId, mannerOf(projectId));
  }

  #disturb(): void {
    const { vanishing = 0, appearing = 0, changing = 0, failingHosts = 0 } = this.options;
    const times = (count: number, happen: (number: number) => void): void => {
      for (let number = 0; number < count; number += 1) {
        this.#after(this.random() * disturbedMs, () => happen(number));
      }
    };
    times(vanishing, () => this.#vanish());
    times(appearing, (number) => this.#appear(`new-${number}`));
    times(changing, () => this.#changeConstraints());
    times(failingHosts, () => this.#breakHost());
  }

  #after(ms: number, happen: () => void): void {
    this.#queue.add(this.#rows.nowMs + Math.ceil(ms), happen);
  }

  #step(): void {
    const atMs = this.#queue.nextAtMs();
    if (atMs === undefined) {
      this.#problems.push(
        `the simulation stands still: no event is left, and nothing is decided: ${JSON.stringify(this.#running())}`,
      );
      return;
    }
    this.#rows.nowMs = atMs;
    this.#queue.take()?.();
    this.#rows.forgetRecovered();
    this.#decideAll();
  }

  #running(): Session[] {
    return this.#sessions.filter(({ state }) => state !== 'MAINTENANCE_COMPLETE' && state !== 'MAINTENANCE_FAILED');
  }

  #session(id: string): Session {
    return this.#sessions.find((session) => session.id === id)!;
  }

  /** Decides for every session until none has anything new to do. */
  #decideAll(): void {
    for (let changed = true; changed && this.#problems.length === 0;) {
      changed = this.#running()
        .map((session) => this.#decide(session))
        .some(Boolean);
    }
  }

  #decide(session: Session): boolean {
    session.decisions += 1;
    if (session.decisions > maxDecisions) this.#problems.push(`session ${session.id} decides for ever`);
    if (session.state === 'SCALE_IN') return this.#scaleIn(session);
    const decision = this.options.workflow === 'vnf' ? this.#decideVnf(session) : this.#decideDefault(session);
    this.#checkDecision(session, decision);
    return this.#carryOut(session, decision);
  }

  #decideDefault({ id, state, ready }: Session): Decision {
    const { expired } = this.#moves;
    const settled = new Map(
      [...ready].map(([one, action]): [string, Action] => [one, expired.has(one) ? 'LIVE_MIGRATE' : action]),
    );
    return decideDefault(
      { sessionId: id, state, fleet: this.#rows.snapshot(), ready: settled },
      this.#rows.nowMs,
      limits,
    );
  }

  /** Reservations of all sessions count; each session moves what is on its own hosts. */
  #decideVnf(session: Session): Decision {
    const { id, state, hostnames, drainOrder } = session;
    const { maxParallelHosts } = this.options;
    const snapshot = this.#rows.snapshot();
    const unasked = (instance: Instance): Instance =>
      this.#moves.expired.has(instance.id) ? { ...instance, leadTimeSeconds: 0 } : instance;
    const fleet = { ...snapshot, instances: snapshot.instances.map(unasked) };
    const view: SessionView = { sessionId: id, state, fleet, drainOrder };
    const cap = maxParallelHosts === undefined ? {} : { maxParallelHosts };
    const { decision, reserved } = decideAllVnf(view, this.#rows.nowMs, { ...limits, ...cap });
    session.drainOrder = decision.drainOrder ?? drainOrder;
    for (const id of this.#rows.reserved.keys()) {
      const source = this.#rows.instances.get(id)?.host;
      const isOwn = source === undefined || hostnames.includes(source);
      if (isOwn && !reserved.has(id)) this.#rows.reserved.delete(id);
    }
    const isKept = ({ instanceId }: Reservation): boolean => reserved.has(instanceId);
    return { ...decision, reserve: (decision.reserve ?? []).filter(isKept) };
  }

  #checkDecision(session: Session, decision: Decision): void {
    const { lookAgainMs, waiting } = decision;
    if (lookAgainMs < 50 || lookAgainMs > 60_000) this.#problems.push(`looks again after ${lookAgainMs} ms`);
    const twice = waiting.length - new Set(waiting.map(({ who }) => who)).size;
    if (twice > 0) this.#problems.push(`${twice} of ${JSON.stringify(waiting)} have several reasons`);
    const unclear = waiting.filter((one) => one.subject === '' || this.#waitsForStranger(one));
    if (unclear.length > 0) this.#problems.push(`waits for nothing, or for a stranger: ${JSON.stringify(unclear)}`);
    const silent = this.options.workflow === 'vnf' ? this.#withoutReason(session, decision) : [];
    if (silent.length > 0) this.#problems.push(`no reason is given for ${silent.join(', ')}`);
  }

  /** Instances and hosts that do not continue with the decision, and have no reason to wait. */
  #withoutReason(
    { hostnames }: Session,
    { drain, admit, giveBackForDeadlock, waiting, next, failure }: Decision,
  ): readonly string[] {
    if (next !== undefined || failure !== undefined) return [];
    const going = [...drain, ...admit.map(({ instanceId }) => instanceId)];
    const known = new Set([...going, ...this.#rows.inFlight().map(({ instanceId }) => instanceId)]);
    for (const { who } of waiting) known.add(who);
    const own = hostnames.map((name) => this.#rows.host(name));
    const staying = own
      .filter(({ name, work }) => work?.phase === 'emptying' && !giveBackForDeadlock.includes(name))
      .flatMap(({ name }) => this.#rows.on(name).map(({ id }) => id));
    const toOpen = own.filter(({ work }) => work?.phase === 'waiting').map(({ name }) => name);
    return [...toOpen, ...staying].filter((name) => !known.has(name));
  }

  /** Nobody waits for the answer of a project that is not its own. */
  #waitsForStranger({ waitingFor, who, subject }: Reason): boolean {
    const instance = this.#rows.instances.get(who);
    return waitingFor === 'answer' && instance !== undefined && instance.projectId !== subject;
  }

  /** True when there was anything to do. */
  #carryOut(session: Session, decision: Decision): boolean {
    const { failure, next } = decision;
    if (failure !== undefined) this.#fail(session, failure);
    session.state = next ?? session.state;
    return this.#carryOutWork(session, decision) || failure !== undefined || next !== undefined;
  }

  #carryOutWork(session: Session, { drain, reserve = [], admit, begin, giveBackForDeadlock }: Decision): boolean {
    for (const hostname of drain) this.#startToDrain(session, hostname);
    for (const { instanceId, target } of reserve) this.#rows.reserved.set(instanceId, target);
    for (const admission of admit) this.#moves.admit(session.id, admission);
    for (const hostname of begin) this.#begin(hostname);
    for (const hostname of giveBackForDeadlock) this.#release(hostname);
    this.#checkCap(session);
    return [drain, reserve, admit, begin, giveBackForDeadlock].flat().length > 0;
  }

  #checkCap({ hostnames }: Session): void {
    const { maxParallelHosts = Infinity } = this.options;
    const busy = hostnames.filter((name) => isUnderWork(this.#rows.host(name)));
    if (busy.length > maxParallelHosts) this.#problems.push(`${busy.length} hosts are under work`);
  }

  #fail(session: Session, failure: string): void {
    if (!this.#running().includes(session)) return;
    session.state = 'MAINTENANCE_FAILED';
    session.failure = failure;
    this.#moves.withdrawAll(session.id);
    for (const name of session.hostnames) {
      const host = this.#rows.host(name);
      if (host.work?.phase === 'emptying') this.#giveBack(host);
    }
  }

  #scaleIn(session: Session): boolean {
    const need = scaleInNeed(this.#rows.snapshot(), session.id);
    if (need) {
      session.scaleIns += 1;
      if (session.scaleIns > maxScaleIns) {
        this.#fail(session, `missing ${JSON.stringify(need.missing)} on host ${need.host}`);
        return true;
      }
      this.#giveUpCapacity(need.projectIds, sizeIn(need.missing).vcpus);
    }
    session.state = stateAfterLook(this.#rows.snapshot(), session.id);
    return true;
  }

  #giveUpCapacity(projectIds: readonly string[], vcpus: number): void {
    let freed = 0;
    for (const instance of [...this.#rows.instances.values()]) {
      if (freed >= vcpus) return;
      if (!projectIds.includes(instance.projectId) || this.#rows.claims.has(instance.id)) continue;
      freed += sizeIn(instance.amounts).vcpus;
      this.#rows.vanish(instance.id);
    }
  }

  #startToDrain(session: Session, hostname: string): void {
    const host = this.#rows.host(hostname);
    const { work } = host;
    if (work?.phase !== 'waiting' || work.sessionId !== session.id) {
      this.#problems.push(`${hostname} is opened in phase ${String(work?.phase)}`);
      return;
    }
    work.phase = 'emptying';
    this.#after(this.random() * 2_000, () => {
      if (host.work !== work || work.phase !== 'emptying') return;
      work.disabledBefore = !host.enabled;
      this.#rows.disable(host);
      work.disabled = true;
      this.#askAboutHost(session, host);
    });
  }

  /** Project-wide, in any order; who appears later is asked later. */
  #askAboutHost(session: Session, { name }: ChangingHost): void {
    if (this.options.workflow === 'vnf') return;
    for (const { id, projectId, leadTimeSeconds } of this.#rows.on(name)) {
      if (session.ready.has(id) || session.asked.has(id)) continue;
      if (leadTimeSeconds === 0) session.ready.set(id, 'LIVE_MIGRATE');
      else this.#askProject(session, { id, hostname: name }, this.#mannerOf.get(projectId) ?? 'prompt');
    }
  }

  /**
   * A settled question counts on its host alone: the instance may have moved since, when nothing had to be asked
   * before.
   */
  #askProject(session: Session, { id, hostname }: { id: string; hostname: string }, manner: Manner): void {
    session.asked.add(id);
    this.#rows.note('notify', { instances: [id], lead: longestAnswerMs / 1000 });
    const isSilent = manner === 'silent' || manner === 'late';
    const ms = isSilent ? longestAnswerMs : this.random() * longestAnswerMs;
    this.#after(ms, () => {
      session.asked.delete(id);
      if (!this.#rows.on(hostname).some((instance) => instance.id === id)) return;
      if (!isSilent) this.#rows.note('reply', { instances: [id] });
      session.ready.set(id, isSilent ? 'LIVE_MIGRATE' : pick(['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'], this.random));
    });
  }

  #askAboutArrival(hostname: string): void {
    const host = this.#rows.host(hostname);
    const session = this.#sessions.find(({ id }) => id === host.work?.sessionId);
    if (session && isUnderWork(host))
      this.#after(this.random() * longestAnswerMs, () => this.#askAboutHost(session, host));
  }

  #begin(hostname: string): void {
    const host = this.#rows.host(hostname);
    const { work } = host;
    if (work?.phase !== 'emptying') this.#problems.push(`${hostname} begins in phase ${String(work?.phase)}`);
    if (!work) return;
    work.phase = 'maintaining';
    this.#rows.note('maintenance_start', { host: hostname });
    this.#after(this.random() * 500, () => (work.announced = true));
    this.#after(this.random() * longestMaintenanceMs, () => this.#maintained(host));
  }

  #maintained(host: ChangingHost): void {
    if (host.work?.phase !== 'maintaining') return;
    host.work.phase = 'maintained';
    this.#rows.note('maintenance_end', { host: host.name });
    if (!host.work.disabledBefore) this.#rows.enable(host);
  }

  #release(hostname: string): void {
    const host = this.#rows.host(hostname);
    if (host.work?.phase !== 'emptying') this.#problems.push(`${hostname} is released in no work`);
    if (host.work) host.work.phase = 'releasing';
    this.#after(this.random() * 1_000, () => this.#giveBack(host));
  }

  #giveBack(host: ChangingHost): void {
    if (!host.work) return;
    if (host.work.disabled && !host.work.disabledBefore) this.#rows.enable(host);
    host.work = { ...host.work, phase: 'waiting', disabled: false, releases: host.work.releases + 1 };
    for (const { id } of this.#rows.on(host.name)) this.#rows.reserved.delete(id);
  }

  #failHost(host: ChangingHost, failure: string): void {
    const { work } = host;
    if (!work || !isUnderWork(host)) return;
    if (work.phase === 'maintaining') this.#rows.note('maintenance_end', { host: host.name, broken: true });
    work.phase = 'failed';
    work.failure = failure;
  }

  // Changes by others

  #vanish(): void {
    if (this.#rows.instances.size > 0) this.#rows.vanish(pick([...this.#rows.instances.keys()], this.random));
  }

  /** A new instance where the cloud has capacity for it; also on hosts whose disabling is still under way. */
  #appear(id: string): void {
    const group = [...this.#rows.groups.values()].find(({ maxInstancesPerHost }) => maxInstancesPerHost === undefined);
    const size = { vcpus: 1, memoryMb: 1024 };
    const host = [...this.#rows.hosts.values()].find((one) => {
      const { vcpus, memoryMb } = this.#rows.free(one);
      return one.isCompute && one.enabled && vcpus >= size.vcpus && memoryMb >= size.memoryMb;
    });
    if (!host || !group) return;
    const place = { host: host.name, groupKey: group.key, projectId: 'late' };
    const amounts = { VCPU: size.vcpus, MEMORY_MB: size.memoryMb };
    const moving = { departure: movesElsewhere, defaultAction: simulatedActions.default };
    this.#rows.appear({ id, name: id, amounts, ...place, ...moving });
    this.#askAboutArrival(host.name);
  }

  /** A group's limits; or an instance's lead time, or its group, where that keeps nobody apart. */
  #changeConstraints(): void {
    const group = pick(
      [...this.#rows.groups.values()].filter(({ keptBy }) => keptBy.kind === 'service'),
      this.random,
    );
    const instances = [...this.#rows.instances.values()];
    if (this.random() < 0.6) this.#rows.changeGroup(otherLimits(group, this.random));
    else if (instances.length > 0 && group.maxInstancesPerHost === undefined) {
      const instance = pick(instances, this.random);
      const leadTimeSeconds = pick([10, 40], this.random);
      this.#rows.changeInstance({ ...instance, groupKey: group.key, leadTimeSeconds });
      if (instance.leadTimeSeconds === 0) this.#askAfterAll(instance);
    }
  }

  /** No question about it was necessary until now. */
  #askAfterAll({ id, host }: Instance): void {
    for (const { ready } of this.#sessions) ready.delete(id);
    this.#askAboutArrival(host);
  }

  #breakHost(): void {
    const busy = [...this.#rows.hosts.values()].filter(isUnderWork);
    if (busy.length === 0) return;
    const host = pick(busy, this.random);
    this.#failHost(host, `plug-in dummy failed on host ${host.name}`);
  }
}

const isUnderWork = ({ work }: ChangingHost): boolean =>
  ['emptying', 'maintaining', 'releasing'].includes(work?.phase ?? '');
