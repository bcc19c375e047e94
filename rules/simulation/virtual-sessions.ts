/**
 * Sessions in virtual time: decisions for them are carried out on a fleet that they share, with given times.
 * Decisions learn of an answer, a move's end and a maintenance's end when they happen.
 */
import { asksInstances } from '../decisions/both-workflows/built-in-workflow';
import { hostsToDo } from '../decisions/both-workflows/failed-controller';
import type { VnfFacts } from '../decisions/both-workflows/session-facts';
import { type Decision, nothingDecided } from '../decisions/decision';
import { decideDefaultOn } from '../decisions/default/decide-default';
import type { HostWork, SessionState } from '../decisions/fleet/fleet';
import { isInPhase } from '../decisions/fleet/host-work';
import { asOwned, ifTheseFail, staysDisabled } from '../decisions/fleet/set-aside-or-fail';
import { stateAfterLook, stateAfterScaleIn } from '../decisions/scale-in/when-to-scale-in';
import { decideVnf } from '../decisions/vnf/decide-vnf';
import type { ReplyVerdict } from '../questions/reply-policy';
import { holdBack } from '../steering/hold-back';
import { fittingNowhere, isAnyTriedAgain } from '../steering/work-in-maintenance-window';
import { hostEventsOf } from '../steps/host-step';
import { AskedHosts } from './asked-hosts';
import {
  areWindowsOver,
  end,
  endCanary,
  enter,
  isEachWindowInVain,
  type PlayedSession,
  playedSession,
  steeringOf,
} from './played-session';
import type { Ending, EnteredState, PassedPause, SessionsSetting } from './session-to-play';
import { beginningOf, type SessionToStep, type SteeredStep, steeredStep } from './steered-step';
import { VirtualHosts } from './virtual-hosts';
import { VirtualMoves } from './virtual-moves';
import { VirtualWorld } from './virtual-world';

/** A project has refused to let a host be drained, or has not answered. */
interface Unwelcome {
  readonly hostname: string;
  readonly projectId: string;
  readonly because: string;
}

export class VirtualSessions {
  readonly world: VirtualWorld;
  readonly moves: VirtualMoves;
  readonly hosts: VirtualHosts;
  /** The milliseconds that each decision took. */
  readonly decisionMs: number[] = [];
  readonly #sessions: readonly PlayedSession[];

  constructor(private readonly setting: SessionsSetting) {
    const { fleet, startMs, times, replySeconds, actionOf, maintained, faults } = setting;
    this.world = new VirtualWorld(fleet, startMs, faults);
    const { world } = this;
    const asking = {
      ...{ world, times, replySeconds, actionOf },
      isSilent: (hostname: string, projectId: string) => this.#actOnSilence(hostname, projectId),
      refused: (hostname: string, projectId: string) => this.#actOnRefusal(hostname, projectId),
    };
    this.moves = new VirtualMoves({
      ...asking,
      arrived: (instanceId) => this.#sessions.forEach(({ asked }) => asked.forget(instanceId)),
      expired: (instanceId) => this.#sessions.forEach(({ asked }) => asked.expire(instanceId)),
      failed: (hostname, failure) => this.hosts.fail(hostname, failure),
    });
    this.hosts = new VirtualHosts({
      ...{ world, times, maintained },
      withdrawQuestions: (hostname) => this.#withdraw(hostname),
      staysDisabled: (work) => this.#staysDisabled(work),
      enablesFailedHosts: (hostname) => this.#sessionOf(hostname)?.steering?.enablesFailedHosts === true,
      disabled: (hostname) => this.#askAboutHost(hostname),
      ended: (host) => this.moves.comeBackTo(host),
    });
    this.#sessions = setting.sessions.map((session) => {
      const asked = new AskedHosts({ ...asking, ready: session.ready ?? new Map() });
      return playedSession(session, { startMs, asked });
    });
    this.#takeOver();
  }

  /** Runs until the session ends, whatever the others do. */
  runUntilEndOf(sessionId: string): Ending {
    const session = this.#played(sessionId);
    this.#decideUntilQuiet();
    while (!session.ending && this.world.goOn()) this.#decideUntilQuiet();
    return session.ending ?? { kind: 'stalled' };
  }

  /** The states that the session was in, with the time since when. */
  statesOf(sessionId: string): readonly EnteredState[] {
    return this.#played(sessionId).states;
  }

  pausesOf(sessionId: string): readonly PassedPause[] {
    return this.#played(sessionId).pauses;
  }

  /** Projects are asked about the instance where it is now, and whatever they answered before. */
  askAnew(instanceId: string): void {
    for (const { asked } of this.#sessions) asked.forget(instanceId);
    const host = this.world.model.instanceById.get(instanceId)?.host ?? '';
    if (this.world.model.hostByName.get(host)?.work?.disabled === true) this.#askAboutHost(host);
  }

  /** @throws RangeError where the session is not among those of the setting */
  #played(sessionId: string): PlayedSession {
    const session = this.#sessions.find((one) => one.sessionId === sessionId);
    if (!session) throw new RangeError(`session ${sessionId} is not played`);
    return session;
  }

  /** Everything in flight at the beginning of the run ends at its time. */
  #takeOver(): void {
    const { world, moves } = this;
    const { claimedAtMs, startMs, sessions } = this.setting;
    for (const claim of [...world.model.claimByInstance.values()]) {
      moves.takeOver(claim, startMs - (claimedAtMs?.get(claim.instanceId) ?? startMs));
    }
    for (const host of [...world.model.hosts]) this.hosts.takeOver(host);
    // Questions without a known answer about hosts that are being drained already are asked now.
    for (const { name } of world.model.hosts.filter(isInPhase('emptying'))) this.#askAboutHost(name);
    const beginnings = sessions.map(({ beginsAtMs }) => beginsAtMs - startMs).filter((ms) => ms > 0);
    for (const ms of beginnings) world.after(ms, () => undefined);
  }

  #staysDisabled({ sessionId, failure, skipReason }: HostWork): boolean {
    const session = this.#sessions.find((one) => one.sessionId === sessionId);
    if (session === undefined || session.ending || failure === undefined || skipReason !== undefined) return false;
    const { maxFailedHosts = 0 } = session.limits;
    const enablesFailedHosts = session.steering?.enablesFailedHosts === true;
    return staysDisabled(asOwned(this.world.model.hostsOf(sessionId)), { maxFailedHosts, enablesFailedHosts });
  }

  #sessionOf(hostname: string): PlayedSession | undefined {
    const sessionId = this.world.model.hostByName.get(hostname)?.work?.sessionId;
    return this.#sessions.find((one) => one.sessionId === sessionId);
  }

  /** In `vnf` each instance has a question of its own. */
  #askAboutHost(hostname: string): void {
    const session = this.#sessionOf(hostname);
    if (session?.worksLike === 'default') session.asked.askAbout(hostname);
  }

  #decideUntilQuiet(): void {
    let isQuiet = false;
    while (!isQuiet) {
      const isAnyBack = this.hosts.endReleases();
      isQuiet = this.#sessions.every((session) => !this.#goOn(session)) && !isAnyBack;
    }
  }

  /** True when the session had anything to do. */
  #goOn(session: PlayedSession): boolean {
    if (session.ending || session.beginsAtMs > this.world.nowMs) return false;
    const state = session.current ?? enter(session, beginningOf(this.#steeredFacts(session)), this.world.nowMs);
    if (state === 'SCALE_IN') return this.#scaleIn(session);
    if (state === 'MAINTENANCE_COMPLETE') return end(session, { kind: 'complete' });
    const step = this.#step(session, state);
    const { decision } = step;
    if (decision.failure !== undefined) return this.#fail(session, { kind: 'failed', failure: decision.failure });
    if (decision.next !== undefined) enter(session, decision.next, this.world.nowMs);
    else if (!this.#carryOut(session, decision)) return this.#wait(session, step);
    session.vainOpenings.clear();
    return true;
  }

  /** Where others go on, its hosts that are being drained are given back. */
  #fail(session: PlayedSession, ending: Ending): false {
    const { world, hosts } = this;
    world.after(0, () => {
      for (const { name } of world.model.hostsOf(session.sessionId, 'emptying')) {
        hosts.step(name, { kind: 'stop' });
      }
    });
    return end(session, ending);
  }

  #wait(session: PlayedSession, { againAtMs, heldInWindow, opensAtMs }: SteeredStep): false {
    const isIdle = this.world.model.hostsOf(session.sessionId, 'emptying', 'maintaining', 'releasing').length === 0;
    if (opensAtMs !== undefined && isIdle && !isAnyTriedAgain(heldInWindow)) session.vainOpenings.add(opensAtMs);
    if (isIdle && areWindowsOver(session, this.world.nowMs)) return end(session, { kind: 'windowsOver' });
    if (isEachWindowInVain(session)) return end(session, { kind: 'neverFits', held: heldInWindow });
    this.#decideAgainAt(session, againAtMs);
    return false;
  }

  #steeredFacts(session: PlayedSession): SessionToStep {
    const { sessionId } = session;
    const { model, nowMs } = this.world;
    const { replySeconds, expected } = this.setting;
    const begunAtMs = session.begunAtMs ?? session.beginsAtMs;
    const known = { sessionId, model, nowMs, begunAtMs, replySeconds, ...(expected && { expected }) };
    return { ...known, steering: steeringOf(session) };
  }

  #step(session: PlayedSession, state: SessionState): SteeredStep {
    const step = steeredStep({
      ...this.#steeredFacts(session),
      maxFailedHosts: session.limits.maxFailedHosts ?? 0,
      decide: () => this.#decideOnModel(session, state),
    });
    const isOpen = step.opensAtMs !== undefined || step.heldInWindow.length > 0;
    if (isOpen) session.fittingNowhere = fittingNowhere(step.heldInWindow);
    return step;
  }

  #decideOnModel(session: PlayedSession, state: SessionState): Decision {
    const { clock, watch } = this.setting;
    const { sessionId, worksLike, limits } = session;
    const { model, nowMs } = this.world;
    const facts: VnfFacts = { sessionId, state, model, nowMs, limits, drainOrder: session.order };
    const isByInstance = asksInstances({ workflow: worksLike, rolling: null });
    const before = clock?.();
    const decision = isByInstance ? decideVnf(facts) : decideDefaultOn({ ...facts, ready: session.asked.ready });
    if (clock && before !== undefined) this.decisionMs.push(clock() - before);
    watch?.(facts, decision);
    session.order = decision.drainOrder ?? session.order;
    return decision;
  }

  #decideAgainAt(session: PlayedSession, atMs: number): void {
    const { world } = this;
    const isKnown = session.againAtMs > world.nowMs && session.againAtMs <= atMs;
    if (isKnown || atMs <= world.nowMs || atMs === Infinity) return;
    session.againAtMs = atMs;
    world.after(atMs - world.nowMs, () => undefined);
  }

  /** True when there was anything to do. */
  #carryOut(session: PlayedSession, decision: Decision): boolean {
    const { admit, reserve = [], canaryEnded } = decision;
    const events = hostEventsOf(decision);
    for (const { hostname, event } of events) this.hosts.step(hostname, event);
    for (const { instanceId, target } of reserve) this.world.model.reserve(instanceId, target);
    for (const admission of admit) this.moves.admit(session.sessionId, admission);
    if (canaryEnded !== undefined) endCanary(session, canaryEnded, this.world.nowMs);
    return canaryEnded !== undefined || events.length + reserve.length + admit.length > 0;
  }

  /** A plan supposes that the session asks in vain, then goes on without the hosts that are left, or fails. */
  #scaleIn(session: PlayedSession): boolean {
    const { world } = this;
    const { sessionId, limits } = session;
    if (world.faults.freesCapacity(sessionId)) {
      return this.#goOnAfterScaleIn(session, () => stateAfterLook(world.model.snapshot(), sessionId));
    }
    const leftOut = new Set(session.fittingNowhere.map(({ who }) => who));
    const own = world.model.hostsOf(sessionId).filter(({ name }) => !leftOut.has(name));
    const failing = hostsToDo(world.model, own).map(({ name: hostname }) => ({
      hostname,
      failure: `host ${hostname} cannot be drained: no project has freed the capacity that it needs`,
    }));
    const outcome = ifTheseFail(asOwned(own), failing, limits.maxFailedHosts);
    const { fittingNowhere: notInWindows } = session;
    if ('failure' in outcome) {
      return this.#fail(session, { kind: 'scaleIn', failure: outcome.failure, fittingNowhere: notInWindows });
    }
    session.scaleInSinceMs ??= world.nowMs;
    const fleet = holdBack(world.model.snapshot(), [...leftOut]);
    const untilMs = session.scaleInSinceMs + (this.setting.scaleInMs?.(sessionId, fleet) ?? 0);
    if (untilMs > world.nowMs) {
      this.#decideAgainAt(session, untilMs);
      return false;
    }
    this.#carryOut(session, { ...nothingDecided, setAside: outcome.setAside });
    return this.#goOnAfterScaleIn(session, () => 'START_MAINTENANCE');
  }

  #goOnAfterScaleIn(session: PlayedSession, first: () => SessionState): true {
    const hasRolled = session.states.some(({ state }) => state === 'PLANNED_MAINTENANCE');
    enter(session, stateAfterScaleIn(hasRolled, first), this.world.nowMs);
    return true;
  }

  /** True when something else follows than the default behaviour. */
  #actOnSilence(hostname: string, projectId: string): boolean {
    const silence = this.#sessionOf(hostname)?.steering?.silence ?? 'default';
    if (silence === 'default') return false;
    this.#act(silence, { hostname, projectId, because: `project ${projectId} does not answer in time` });
    return true;
  }

  #actOnRefusal(hostname: string, projectId: string): void {
    const verdict = this.#sessionOf(hostname)?.steering?.lastNack ?? 'fail';
    this.#act(verdict, { hostname, projectId, because: `project ${projectId} has refused too often` });
  }

  #act(verdict: ReplyVerdict['kind'], { hostname, projectId, because }: Unwelcome): void {
    const session = this.#sessionOf(hostname);
    if (session === undefined || session.ending) return;
    switch (verdict) {
      case 'skip_host':
        this.hosts.step(hostname, { kind: 'skip', because });
        break;
      case 'pause':
        end(session, { kind: 'paused', because, projectId });
        break;
      case 'fail':
        this.hosts.fail(hostname, because);
        break;
    }
  }

  #withdraw(hostname: string): void {
    this.moves.withdraw(hostname);
    for (const { asked } of this.#sessions) asked.withdraw(hostname);
  }
}
