/**
 * A session that its activities carry out on rows and on the simulated cloud, with a clock that the test sets: what its
 * workflows would call is called here, time after time, until nothing is left to do at each.
 */
import { randomUUID } from 'node:crypto';
import type { Question } from '@prisma/client';
import type { NextSteps } from '../../../activities/decisions/decision-activities';
import { failHost } from '../../../activities/hosts/fail-host';
import { type HostOrders, tendHost } from '../../../activities/hosts/host-orders';
import { type Activities, createActivities } from '../../../activities/index';
import { carryOut, carryOutGranted } from '../../../activities/moves/action-activities';
import { beginAction } from '../../../activities/moves/begin-action';
import { claimedMove } from '../../../activities/moves/reconcile';
import type { Services } from '../../../activities/services';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import type { Database } from '../../../prisma/database';
import type { BegunClaim } from '../../../prisma/moves/claims';
import { writeFreeze } from '../../../prisma/session/freezes';
import { storeProjectTerms } from '../../../prisma/terms/project-terms';
import { idOf } from '../../../rules/cloud/id';
import { whileAwayMs, whileWaitingMs } from '../../../rules/decisions/look-again';
import { EventQueue } from '../../../rules/simulation/event-queue';
import type { FleetInstance } from '../../../rules/simulation/file-fleet';
import { type RecordedRun, recordRun } from '../activities/session/recorded-run';
import { evictingCloud } from './evicting-cloud';
import { type Effect, type PlayedCourse, refusalsIn } from './played-course';
import { recordReply } from './record-reply';
import { createSteppedDatabase } from './stepped-clock';
import { steppedServices } from './stepped-services';

/** Work of a length that nobody knows beforehand. Its plug-in is not run: the test says when the work is over. */
const actions = [{ plugin: 'dummy', type: 'host', metadata: {} }];

/** A session that has not ended after so many times at which something happened never does. */
const mostSteps = 1_000;
/** A state at one time that needs more steps than this does not come to rest. */
const mostRounds = 60;

export const playOnRows = async (course: PlayedCourse): Promise<readonly Effect[]> => {
  const { db, setTime, drop } = await createSteppedDatabase(new Date(course.startMs));
  try {
    await loadFleet(db, course.fleet, { storeConstraints: true });
    for (const [id, hours] of course.hoursOf ?? []) await storeProjectTerms(db, idOf(id), { hours });
    const session = new SteppedSession(db, setTime, course);
    await session.play();
    return session.effects;
  } finally {
    await drop();
  }
};

const maintenanceOf = (hostname: string): string => `maintenance of ${hostname}`;

/** Each project has answered the question about the whole session. */
const putOff = async (db: Database, sessionId: string, { fleet, startMs, notBeforeMs }: PlayedCourse) => {
  if (notBeforeMs === undefined) return;
  await db.session.update({ where: { id: sessionId }, data: { postpone: { seconds: 31_536_000 } } });
  const at = new Date(startMs);
  for (const [projectId, instances] of Map.groupBy(fleet.instances, (one) => one.projectId)) {
    const ids = instances.map(({ instanceId }) => instanceId);
    const times = [...notBeforeMs].filter(([id]) => ids.includes(id));
    const answered = { status: 'answered', answer: 'ACK', answeredAt: at, askedAt: at, replyAt: at, createdAt: at };
    await db.question.create({
      data: {
        ...{ sessionId, projectId, state: 'MAINTENANCE', instanceIds: ids, allowedActions: [], windowSeconds: 60 },
        ...{ ...answered, messageId: randomUUID(), notBeforeLatest: new Date(startMs + 31_536_000_000) },
        times: { instanceNotBeforeMs: Object.fromEntries(times) },
      },
    });
  }
};

class SteppedSession {
  readonly effects: Effect[] = [];
  readonly #queue = new EventQueue<() => Promise<void>>();
  readonly #services: Services;
  readonly #activities: Activities;
  readonly #isRefused: (instanceIds: readonly string[]) => boolean;
  readonly #known = new Set<string>();
  /** The host that each move leaves, by its claim. */
  readonly #inFlight = new Map<string, string>();
  #nowMs: number;
  #session!: RecordedRun;
  #state = '';
  #stateSinceMs = 0;
  #entries = 1;

  constructor(
    private readonly db: Database,
    private readonly setTime: (at: Date) => Promise<void>,
    private readonly course: PlayedCourse,
  ) {
    this.#nowMs = course.startMs;
    this.#isRefused = refusalsIn(course);
    const nowMs = (): number => this.#nowMs;
    const wakeAfter = (ms: number): void => this.#after(ms);
    const evicts = course.workflow === 'k8s';
    const cloud = evicts ? evictingCloud({ db, course, nowMs, wakeAfter }) : createSimulatedCloud({ db, speed: 1 });
    this.#services = steppedServices({ db, cloud, note: (event, of) => this.#note(event, of) });
    this.#activities = createActivities(this.#services);
  }

  async play(): Promise<void> {
    const { fleet, startMs } = this.course;
    const at = new Date(startMs);
    const hosts = fleet.hosts.filter(({ maintain }) => maintain);
    this.#session = await recordRun(
      this.db,
      { begunAt: at, maintenanceAt: at, startedAt: at, actions, ...columnsOf(this.course) },
      hosts.map(({ name, type, isCompute }) => ({ hostname: name, type, isCompute, phase: 'waiting', owned: true })),
    );
    const { sessionId, run } = this.#session;
    await putOff(this.db, sessionId, this.course);
    for (const freeze of this.course.freezes ?? []) await writeFreeze(this.db, freeze, () => []);
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

  #note(event: string, of: string, atMs = this.#nowMs): void {
    this.effects.push({ t: (atMs - this.course.startMs) / 1000, event, of });
  }

  /** @param happen left out: there is something to decide */
  #after(ms: number, happen = (): Promise<void> => Promise.resolve()): void {
    this.#queue.add(this.#nowMs + ms, happen);
  }

  async #enter(state: string): Promise<void> {
    const { sessionId, run } = this.#session;
    this.#note('enter', state);
    this.#state = state;
    this.#stateSinceMs = this.#nowMs;
    this.#entries += 1;
    await run(() => this.#activities.enterState({ sessionId, state, eventId: this.#entries }));
  }

  /** Nobody else changes the cloud: in the place of looks that find out what others do, there are events. */
  async #goOn(lookAgainMs: number): Promise<void> {
    const nextMs = this.#queue.nextAtMs();
    const isForOthers = lookAgainMs === whileAwayMs && nextMs !== undefined;
    this.#nowMs = isForOthers ? nextMs : Math.min(nextMs ?? Infinity, this.#nowMs + lookAgainMs);
    await this.setTime(new Date(this.#nowMs));
    while (this.#queue.nextAtMs() === this.#nowMs) await this.#queue.take()?.();
  }

  /** @returns the time until the next look; undefined when the session has ended */
  async #untilQuiet(): Promise<number | undefined> {
    for (let before = '', rounds = 0; rounds < mostRounds; rounds += 1) {
      await this.#hearQuestions();
      const decided = await this.#decide();
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
    throw new Error(`the session does not come to rest after ${String(this.#nowMs - this.course.startMs)} ms`);
  }

  /** Nobody frees any capacity. */
  async #decide(): Promise<Pick<NextSteps, 'failure' | 'underWork' | 'lookAgainMs'> & { readonly next?: string }> {
    const { sessionId, run } = this.#session;
    const ref = { sessionId, state: this.#state };
    if (this.#state !== 'SCALE_IN') return run(() => this.#activities.planAndAdmit(ref));
    return { ...(await run(() => this.#activities.scaleIn(ref))), underWork: [] };
  }

  /** A plan does not ask for capacity where the session would fail in the end. */
  #isEnd({ next, failure }: { readonly next?: string | undefined; readonly failure?: string | undefined }): boolean {
    if (failure !== undefined) this.#note('fail', '', this.#state === 'SCALE_IN' ? this.#stateSinceMs : this.#nowMs);
    else if (next === 'MAINTENANCE_COMPLETE') this.#note('done', '');
    else return false;
    return true;
  }

  async #hearQuestions(): Promise<void> {
    const { sessionId } = this.#session;
    await this.#services.publisher.publish(sessionId);
    const about = [{ instanceId: { not: null } }, { hostname: { not: null } }];
    const open = await this.db.question.findMany({ where: { sessionId, status: 'open', OR: about } });
    for (const question of open.filter(({ id }) => !this.#known.has(id))) {
      this.#known.add(question.id);
      const { instanceId, instanceIds } = question;
      if (instanceId === null) this.#note('notify_project', (instanceIds as string[]).toSorted().join(' '));
      else this.#note('notify', instanceId);
      this.#answer(question);
    }
  }

  #answer({ projectId, state, windowSeconds, ...question }: Question): void {
    this.#after(windowSeconds * 1000);
    const instances = (question.instanceIds as string[]).map((id) => this.#instance(id));
    const answerSeconds = Math.max(...instances.map(({ readySeconds }) => readySeconds ?? Infinity));
    if (answerSeconds > windowSeconds) return;
    const isRefused = this.#isRefused(instances.map(({ instanceId }) => instanceId));
    const { sessionId } = this.#session;
    const chosen = isRefused ? [] : instances.flatMap(storedChoice);
    this.#after(answerSeconds * 1000, async () => {
      const answer = isRefused ? ('NACK' as const) : ('ACK' as const);
      const about =
        question.instanceId === null ? {} : { instanceId: question.instanceId, instanceAction: chosen[0]?.[1] };
      const instanceActions = question.instanceId === null ? Object.fromEntries(chosen) : {};
      const reply = { state, answer, instanceActions, ...about };
      const outcome = await recordReply(this.db, { target: { sessionId, projectId: idOf(projectId) }, reply });
      if (outcome.kind !== 'taken') throw new Error(JSON.stringify(outcome));
      this.#after(this.#services.limits.nackRetrySeconds * 1000);
    });
  }

  #instance(instanceId: string): FleetInstance {
    return this.course.fleet.instances.find((one) => one.instanceId === instanceId)!;
  }

  /** Does the work of a host's workflow. @returns the time until it would look again, whatever others do */
  async #tend(hostname: string): Promise<number> {
    const { sessionId, run } = this.#session;
    const ref = { sessionId, hostname };
    const as = `${sessionId}/host/${hostname}`;
    // Nobody attends a host whose plug-ins run.
    if (this.#known.has(maintenanceOf(hostname))) return Infinity;
    const orders = await run(() => tendHost(this.#services, ref), as);
    for (const claimId of orders.actions) await this.#move({ ...ref, claimId }, as);
    if (this.#isAnyInFlightFrom(hostname)) return untilEvent(orders);
    if (orders.kind === 'release') await run(() => this.#activities.giveBackHost(ref), as);
    if (orders.kind === 'maintain') await this.#maintain(ref, as);
    return untilEvent(orders);
  }

  async #move(ref: { sessionId: string; hostname: string; claimId: string }, as: string): Promise<void> {
    if (this.#known.has(ref.claimId)) return;
    this.#known.add(ref.claimId);
    const { run } = this.#session;
    const claim = await run(() => beginAction(this.#services, ref), as);
    if (claim === undefined) return;
    await this.#services.cloud.startMove({ ...claimedMove(claim), eviction: null });
    await this.#watch(claim, claim.action, async () => {
      const outcome = await run(() => carryOutGranted(this.#services, ref), as);
      if (outcome !== 'fallBack') return;
      await this.#services.cloud.forceMove(claimedMove(claim));
      await this.#watch(claim, this.#services.cloud.actions.forced, async () => {
        await run(() => carryOut(this.#services, ref), as);
      });
    });
  }

  /** The cloud knows how long the move takes that it has just begun. Past its limit nobody waits for it. */
  async #watch(claim: BegunClaim, action: string, over: () => Promise<void>): Promise<void> {
    this.#note('move_start', `${claim.instanceId} to ${claim.target} by ${action}`);
    const where = { claimId: claim.id, status: 'running' };
    const { endsAt } = await this.db.simMove.findFirstOrThrow({ where });
    this.#inFlight.set(claim.id, claim.source);
    this.#after(Math.min(endsAt.getTime() - this.#nowMs, claim.limitSeconds * 1000), async () => {
      this.#inFlight.delete(claim.id);
      await over();
      this.#after(claim.recoveryTime * 1000);
    });
  }

  #isAnyInFlightFrom(hostname: string): boolean {
    return [...this.#inFlight.values()].includes(hostname);
  }

  async #maintain(ref: { sessionId: string; hostname: string }, as: string): Promise<void> {
    const { run } = this.#session;
    const { fleet, isBroken } = this.course;
    if (!(await run(() => this.#activities.beginMaintenance(ref), as))) return;
    this.#known.add(maintenanceOf(ref.hostname));
    this.#note('maintenance_start', ref.hostname);
    const { maintenanceSeconds } = fleet.hosts.find(({ name }) => name === ref.hostname)!;
    this.#after(maintenanceSeconds * 1000, async () => {
      if (isBroken?.(ref.hostname) !== true) {
        await run(() => this.#activities.finishMaintenance(ref), as);
        return;
      }
      this.#known.delete(maintenanceOf(ref.hostname));
      await run(() => failHost(this.#services, { ...ref, reason: 'its plug-in failed' }), as);
    });
  }
}

const untilEvent = ({ lookAgainMs }: HostOrders): number => (lookAgainMs === whileWaitingMs ? Infinity : lookAgainMs);

/** Columns of the session's row. */
const columnsOf = ({ workflow, maxParallelHosts, maxFailedHosts, canary, windows, ...course }: PlayedCourse) => ({
  ...{ workflow, maxParallelHosts: maxParallelHosts ?? null, maxFailedHosts: maxFailedHosts ?? null },
  ...(course.enablesFailedHosts === true && { failedHosts: 'enable' }),
  ...(canary && { canary: { ...canary } }),
  ...(windows && { windows: windows.map((one) => ({ ...one })) }),
});

const storedChoice = ({ instanceId, constraints }: FleetInstance): [string, string][] =>
  constraints === undefined ? [] : [[instanceId, constraints.migrationType]];
