/**
 * A session of `vnf` that its activities carry out on rows and on the simulated cloud, with a clock that the test sets:
 * what its workflows would call is called here, time after time, until nothing is left to do at each.
 */
import type { Question } from '@prisma/client';
import { tendHost } from '../../../activities/hosts/host-orders';
import { type Activities, createActivities } from '../../../activities/index';
import { carryOut } from '../../../activities/moves/action-activities';
import { beginAction } from '../../../activities/moves/begin-action';
import { claimedMove } from '../../../activities/moves/reconcile';
import type { Services } from '../../../activities/services';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import type { Database } from '../../../prisma/database';
import { idOf } from '../../../rules/cloud/id';
import { EventQueue } from '../../../rules/simulation/event-queue';
import type { FileFleet } from '../../../rules/simulation/file-fleet';
import { type RecordedRun, recordRun } from '../activities/session/recorded-run';
import { recordReply } from './record-reply';
import { createSteppedDatabase } from './stepped-clock';
import { steppedServices } from './stepped-services';

/** Something that others see of a session, in seconds since its beginning. */
export interface Effect {
  readonly t: number;
  readonly event: string;
  readonly of: string;
}

export interface SteppedOptions {
  readonly fleet: FileFleet;
  readonly startMs: number;
  /** Columns of the session's row. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Asked once for each question: true when the project of this instance refuses. */
  readonly isRefused?: (instanceId: string) => boolean;
}

/** Work of a length that nobody knows beforehand. Its plug-in is not run: the test says when the work is over. */
const actions = [{ plugin: 'dummy', type: 'host', metadata: {} }];

/** A session that has not ended after so many times at which something happened never does. */
const mostSteps = 1_000;
/** A state at one time that needs more steps than this does not come to rest. */
const mostRounds = 60;

export const playOnRows = async (options: SteppedOptions): Promise<readonly Effect[]> => {
  const { db, setTime, drop } = await createSteppedDatabase(new Date(options.startMs));
  try {
    await loadFleet(db, options.fleet, { storeConstraints: true });
    const session = new SteppedSession(db, setTime, options);
    await session.play();
    return session.effects;
  } finally {
    await drop();
  }
};

const maintenanceOf = (hostname: string): string => `maintenance of ${hostname}`;

class SteppedSession {
  readonly effects: Effect[] = [];
  readonly #queue = new EventQueue<() => Promise<void>>();
  readonly #services: Services;
  readonly #activities: Activities;
  readonly #known = new Set<string>();
  #nowMs: number;
  #session!: RecordedRun;
  #state = '';
  #entries = 1;

  constructor(
    private readonly db: Database,
    private readonly setTime: (at: Date) => Promise<void>,
    private readonly options: SteppedOptions,
  ) {
    this.#nowMs = options.startMs;
    this.#services = steppedServices(db, (event, of) => this.#note(event, of));
    this.#activities = createActivities(this.#services);
  }

  async play(): Promise<void> {
    const { fleet, startMs, session = {} } = this.options;
    const at = new Date(startMs);
    const hosts = fleet.hosts.filter(({ maintain }) => maintain);
    this.#session = await recordRun(
      this.db,
      { workflow: 'vnf', begunAt: at, maintenanceAt: at, startedAt: at, actions, ...session },
      hosts.map(({ name, type, isCompute }) => ({ hostname: name, type, isCompute, phase: 'waiting', owned: true })),
    );
    const { sessionId, run } = this.#session;
    await this.#enter(
      (await run(() => this.#activities.chooseBeginning({ sessionId, state: 'MAINTENANCE' }))) as string,
    );
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const lookAgainMs = await this.#untilQuiet();
      if (lookAgainMs === undefined) return;
      await this.#goOn(lookAgainMs);
    }
    this.#note('never ends', '');
  }

  #note(event: string, of: string): void {
    this.effects.push({ t: (this.#nowMs - this.options.startMs) / 1000, event, of });
  }

  #after(ms: number, happen: () => Promise<void>): void {
    this.#queue.add(this.#nowMs + ms, happen);
  }

  async #enter(state: string): Promise<void> {
    const { sessionId, run } = this.#session;
    this.#state = state;
    this.#entries += 1;
    await run(() => this.#activities.enterState({ sessionId, state, eventId: this.#entries }));
  }

  async #goOn(lookAgainMs: number): Promise<void> {
    this.#nowMs = Math.min(this.#queue.nextAtMs() ?? Infinity, this.#nowMs + lookAgainMs);
    await this.setTime(new Date(this.#nowMs));
    while (this.#queue.nextAtMs() === this.#nowMs) await this.#queue.take()?.();
  }

  /** @returns the time until the next look; undefined when the session has ended */
  async #untilQuiet(): Promise<number | undefined> {
    const { sessionId, run } = this.#session;
    for (let before = '', rounds = 0; rounds < mostRounds; rounds += 1) {
      await this.#hearQuestions();
      const decided = await run(() => this.#activities.planAndAdmit({ sessionId, state: this.#state }));
      if (this.#isEnd(decided)) return undefined;
      if (decided.next !== undefined) await this.#enter(decided.next);
      let { lookAgainMs } = decided;
      for (const { hostname } of decided.underWork) lookAgainMs = Math.min(lookAgainMs, await this.#tend(hostname));
      await this.#hearQuestions();
      const rows = [await this.db.claim.count(), await this.db.question.count(), this.#state];
      const now = JSON.stringify([this.effects.length, decided.underWork, ...rows]);
      if (now === before) return lookAgainMs;
      before = now;
    }
    throw new Error(`the session does not come to rest after ${String(this.#nowMs - this.options.startMs)} ms`);
  }

  #isEnd({ next, failure }: { readonly next?: string | undefined; readonly failure?: string | undefined }): boolean {
    if (failure !== undefined || next === 'SCALE_IN') this.#note('fail', '');
    else if (next === 'MAINTENANCE_COMPLETE') this.#note('done', '');
    else return false;
    return true;
  }

  async #hearQuestions(): Promise<void> {
    const { sessionId } = this.#session;
    await this.#services.publisher.publish(sessionId);
    const open = await this.db.question.findMany({ where: { sessionId, status: 'open', instanceId: { not: null } } });
    for (const question of open.filter(({ id }) => !this.#known.has(id))) {
      this.#known.add(question.id);
      this.#note('notify', question.instanceId!);
      this.#answer(question, question.instanceId!);
    }
  }

  #answer({ projectId, state }: Question, instanceId: string): void {
    const { readySeconds, constraints } = this.#instance(instanceId);
    if (readySeconds === null || readySeconds === undefined) return;
    const isRefused = this.options.isRefused?.(instanceId) === true;
    const { sessionId } = this.#session;
    this.#after(readySeconds * 1000, async () => {
      const answer = isRefused ? ('NACK' as const) : ('ACK' as const);
      const action = isRefused ? {} : { instanceAction: constraints?.migrationType };
      const reply = { state, answer, instanceActions: {}, instanceId, ...action };
      const outcome = await recordReply(this.db, { target: { sessionId, projectId: idOf(projectId) }, reply });
      if (outcome.kind !== 'taken') throw new Error(JSON.stringify(outcome));
    });
  }

  #instance(instanceId: string): FileFleet['instances'][number] {
    return this.options.fleet.instances.find((one) => one.instanceId === instanceId)!;
  }

  /** Does the work of a host's workflow. @returns the time until that would look again */
  async #tend(hostname: string): Promise<number> {
    const { sessionId, run } = this.#session;
    const ref = { sessionId, hostname };
    const as = `${sessionId}/host/${hostname}`;
    // Nobody attends a host whose plug-ins run.
    if (this.#known.has(maintenanceOf(hostname))) return Infinity;
    const orders = await run(() => tendHost(this.#services, ref), as);
    for (const claimId of orders.actions) await this.#move({ ...ref, claimId }, as);
    if (orders.kind === 'release') await run(() => this.#activities.giveBackHost(ref), as);
    if (orders.kind === 'maintain') await this.#maintain(ref, as);
    return orders.lookAgainMs;
  }

  async #move(ref: { sessionId: string; hostname: string; claimId: string }, as: string): Promise<void> {
    if (this.#known.has(ref.claimId)) return;
    this.#known.add(ref.claimId);
    const { run } = this.#session;
    const claim = await run(() => beginAction(this.#services, ref), as);
    if (claim === undefined) return;
    this.#note('move_start', `${claim.instanceId} to ${claim.target}`);
    await this.#services.cloud.startMove({ ...claimedMove(claim), eviction: null });
    this.#after(this.#instance(claim.instanceId).moveSeconds * 1000, async () => {
      await run(() => carryOut(this.#services, ref), as);
    });
  }

  async #maintain(ref: { sessionId: string; hostname: string }, as: string): Promise<void> {
    const { run } = this.#session;
    if (!(await run(() => this.#activities.beginMaintenance(ref), as))) return;
    this.#known.add(maintenanceOf(ref.hostname));
    this.#note('maintenance_start', ref.hostname);
    const { maintenanceSeconds } = this.options.fleet.hosts.find(({ name }) => name === ref.hostname)!;
    this.#after(maintenanceSeconds * 1000, async () => {
      await run(() => this.#activities.finishMaintenance(ref), as);
    });
  }
}
