/**
 * Sessions in virtual time: planning's decisions for them are carried out on a fleet that they share, with given times.
 * Planning learns of an answer, a move's end and a maintenance's end when they happen.
 */
import type { Decision } from '../planning/decision';
import { decideDefaultOn } from '../planning/default/decide-default';
import type { Action, Fleet, Host, HostWork, Instance, SessionState } from '../planning/fleet/fleet';
import { stateAfterLook } from '../planning/rolling/beginning';
import type { VnfFacts, VnfLimits } from '../planning/rolling/session-facts';
import type { WayOfRolling } from '../planning/rolling/ways-of-rolling';
import { decideVnf } from '../planning/vnf/decide-vnf';
import { AskedHosts } from './asked-hosts';
import type { Times } from './times';
import { VirtualMoves } from './virtual-moves';
import { VirtualWorld } from './virtual-world';

/** A session at the beginning of the run. */
export interface SessionToPlay {
  readonly sessionId: string;
  readonly way: WayOfRolling;
  readonly limits: VnfLimits;
  /** A rolling state; undefined: the session looks at the fleet when it begins. */
  readonly state?: SessionState;
  /** The time at which it begins to work on hosts. */
  readonly beginsAtMs: number;
  readonly drainOrder?: readonly string[];
  /** For `default`: instances whose question about the host is settled, each with its action. */
  readonly ready?: ReadonlyMap<string, Action>;
}

export interface SessionsSetting {
  /** Groups with the default impact, as `withDefaultImpact` gives it. */
  readonly fleet: Fleet;
  readonly startMs: number;
  readonly sessions: readonly SessionToPlay[];
  readonly times: Times;
  readonly replySeconds: number;
  /** The action of an instance, after its manager was asked and has answered, or has not. */
  readonly actionOf: (instance: Instance, admitted: Action, isAnswered: boolean) => Action;
  /** The times since which open claims are in their phase, by instance ID; left out: since now. */
  readonly claimedAtMs?: ReadonlyMap<string, number>;
  /** Called at the end of every maintenance, with its duration: planning may expect others to take as long. */
  readonly maintained?: ((world: VirtualWorld, hostname: string, ms: number) => void) | undefined;
  /** The clock that measures planning, in milliseconds; undefined: planning is not measured. */
  readonly clock?: (() => number) | undefined;
  /** Called with the facts before each decision of `vnf`. */
  readonly watch?: ((facts: VnfFacts) => void) | undefined;
}

/** The end of a session. stalled: the simulation stands still: no event is left, and planning decides nothing. */
export type Ending =
  | { readonly kind: 'complete' }
  | { readonly kind: 'scaleIn' }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'stalled' };

interface PlayedSession extends SessionToPlay {
  current: SessionState | undefined;
  order: readonly string[] | undefined;
  readonly asked: AskedHosts;
  ending?: Ending;
  readonly states: EnteredState[];
}

export interface EnteredState {
  readonly state: SessionState;
  readonly fromMs: number;
}

export class VirtualSessions {
  readonly world: VirtualWorld;
  readonly moves: VirtualMoves;
  /** The milliseconds that each decision took. */
  readonly planningMs: number[] = [];
  readonly #sessions: readonly PlayedSession[];

  constructor(private readonly setting: SessionsSetting) {
    const { fleet, startMs, times, replySeconds, actionOf } = setting;
    this.world = new VirtualWorld(fleet, startMs);
    const { world } = this;
    const arrived = (instanceId: string): void => this.#sessions.forEach(({ asked }) => asked.forget(instanceId));
    this.moves = new VirtualMoves({ world, times, replySeconds, actionOf, arrived });
    this.#sessions = setting.sessions.map((session) => ({
      ...session,
      current: session.state,
      order: session.drainOrder,
      states: session.state ? [{ state: session.state, fromMs: startMs }] : [],
      asked: new AskedHosts({ world, times, replySeconds, actionOf, ready: session.ready ?? new Map() }),
    }));
    this.#takeOver();
  }

  /** Runs until the session ends, whatever the others do. */
  runUntilEndOf(sessionId: string): Ending {
    const session = this.#sessions.find((one) => one.sessionId === sessionId);
    if (!session) throw new RangeError(`session ${sessionId} is not played`);
    this.#decideUntilQuiet();
    while (!session.ending && this.world.goOn()) this.#decideUntilQuiet();
    return session.ending ?? { kind: 'stalled' };
  }

  /** The states that the session was in, with the time since when. */
  statesOf(sessionId: string): readonly EnteredState[] {
    return this.#sessions.find((one) => one.sessionId === sessionId)?.states ?? [];
  }

  /** Everything in flight at the beginning of the run ends at its time. */
  #takeOver(): void {
    const { world, moves } = this;
    const { claimedAtMs, startMs, sessions } = this.setting;
    for (const claim of [...world.model.claimByInstance.values()]) {
      moves.takeOver(claim, startMs - (claimedAtMs?.get(claim.instanceId) ?? startMs));
    }
    for (const host of [...world.model.hosts]) this.#takeOverHost(host);
    for (const session of this.#sessions) this.#askAgain(session);
    const beginnings = sessions.map(({ beginsAtMs }) => beginsAtMs - startMs).filter((ms) => ms > 0);
    for (const ms of beginnings) world.after(ms, () => undefined);
  }

  #takeOverHost({ name, work }: Host): void {
    const { startMs } = this.setting;
    if (work?.phase === 'maintaining') this.#endMaintenance(name, startMs - (work.announcedAtMs ?? startMs));
    if (work?.phase === 'emptying' && !work.disabled) this.world.setWork(name, { disabled: true }, false);
    if (work?.phase === 'releasing') this.#giveBack(name);
  }

  /** About hosts that are being drained already: questions without a known answer are asked now. */
  #askAgain({ way, sessionId, asked }: PlayedSession): void {
    if (way !== 'default') return;
    for (const { name } of this.world.model.hostsOf(sessionId, 'emptying')) asked.askAbout(name);
  }

  #decideUntilQuiet(): void {
    let isQuiet = false;
    while (!isQuiet) isQuiet = this.#sessions.every((session) => !this.#goOn(session));
  }

  /** True when the session had anything to do. */
  #goOn(session: PlayedSession): boolean {
    if (session.ending || session.beginsAtMs > this.world.nowMs) return false;
    const state =
      session.current ?? this.#enter(session, stateAfterLook(this.world.model.snapshot(), session.sessionId));
    if (state === 'SCALE_IN') return end(session, { kind: 'scaleIn' });
    if (state === 'MAINTENANCE_COMPLETE') return end(session, { kind: 'complete' });
    const decision = this.#decide(session, state);
    if (decision.failure !== undefined) return end(session, { kind: 'failed', failure: decision.failure });
    if (decision.next === undefined) return this.#carryOut(session, decision);
    this.#enter(session, decision.next);
    return true;
  }

  #enter(session: PlayedSession, state: SessionState): SessionState {
    session.current = state;
    session.states.push({ state, fromMs: this.world.nowMs });
    return state;
  }

  #decide(session: PlayedSession, state: SessionState): Decision {
    const { clock, watch } = this.setting;
    const { sessionId, way, limits } = session;
    const { model, nowMs } = this.world;
    const facts: VnfFacts = { sessionId, state, model, nowMs, limits, drainOrder: session.order };
    if (way === 'vnf') watch?.(facts);
    const before = clock?.();
    const decision = way === 'vnf' ? decideVnf(facts) : decideDefaultOn({ ...facts, ready: session.asked.ready });
    if (clock && before !== undefined) this.planningMs.push(clock() - before);
    session.order = decision.drainOrder ?? session.order;
    return decision;
  }

  /** True when there was anything to do. */
  #carryOut(session: PlayedSession, { drain, admit, reserve = [], begin, release }: Decision): boolean {
    const { model } = this.world;
    for (const name of begin) this.#begin(name);
    for (const name of drain) this.#startToDrain(session, name);
    for (const name of release) this.#giveBack(name);
    for (const { instanceId, target } of reserve) model.reserve(instanceId, target);
    for (const admission of admit) this.moves.admit(session.sessionId, admission);
    return drain.length + reserve.length + admit.length + begin.length + release.length > 0;
  }

  #startToDrain({ way, asked }: PlayedSession, hostname: string): void {
    this.world.note('disable', { host: hostname });
    this.world.setWork(hostname, { phase: 'emptying', disabled: true }, false);
    if (way === 'default') asked.askAbout(hostname);
  }

  #giveBack(hostname: string): void {
    const { model } = this.world;
    for (const { id } of model.instancesOn(hostname)) model.unreserve(id);
    const releases = (model.hostByName.get(hostname)?.work?.releases ?? 0) + 1;
    this.#endWork(hostname, { phase: 'waiting', disabled: false, releases });
  }

  #begin(hostname: string): void {
    this.world.note('maintenance_start', { host: hostname });
    this.world.setWork(hostname, { phase: 'maintaining', announced: true, announcedAtMs: this.world.nowMs }, false);
    this.#endMaintenance(hostname, 0);
  }

  #endMaintenance(hostname: string, elapsedMs: number): void {
    const host = this.world.model.hostByName.get(hostname);
    const maintenanceMs = host ? this.setting.times.maintenanceMs(host) : 0;
    this.world.after(maintenanceMs - elapsedMs, () => {
      this.world.note('maintenance_end', { host: hostname });
      this.#endWork(hostname, { phase: 'maintained', disabled: false });
      this.setting.maintained?.(this.world, hostname, maintenanceMs);
    });
  }

  /** Enables the host again, unless somebody had disabled it before. */
  #endWork(hostname: string, change: Partial<HostWork>): void {
    const isEnabled = this.world.model.hostByName.get(hostname)?.work?.disabledBefore !== true;
    if (isEnabled) this.world.note('enable', { host: hostname });
    this.world.setWork(hostname, change, isEnabled);
  }
}

const end = (session: PlayedSession, ending: Ending): false => {
  session.ending = ending;
  return false;
};
