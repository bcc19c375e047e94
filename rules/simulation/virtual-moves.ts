/** Carries out admissions in virtual time: instances are asked about, moved, and recover. */
import { comesBackWithHost, isNotMadeAgain } from '../cloud/departure';
import type { Admission } from '../decisions/decision';
import { noTarget } from '../decisions/fleet/double-allocation';
import type { Action, Claim, Host, Instance } from '../decisions/fleet/fleet';
import { limitsOf, recoverySecondsOf } from '../decisions/limits/limits-of-instance';
import { replyWindowOfInstance } from '../questions/reply-window';
import { grantedTo } from '../steps/claim-step';
import type { Times } from './times';
import type { VirtualWorld } from './virtual-world';

export interface MovesSetting {
  readonly world: VirtualWorld;
  readonly times: Times;
  /** The seconds that a manager has when no constraints say it. */
  readonly replySeconds: number;
  /** The instance's action, after its manager was asked and has answered, or has not. */
  readonly actionOf: (instance: Instance, admitted: Action, isAnswered: boolean) => Action;
  /** Called when nobody has answered in time; true: something else follows than the default behaviour. */
  readonly isSilent: (hostname: string, projectId: string) => boolean;
  /** Called for every instance that a move has brought to another host. */
  readonly arrived?: (instanceId: string) => void;
}

export class VirtualMoves {
  count = 0;
  /** The claims of instances that have left without a place, and come back with their hosts. */
  readonly #away = new Set<Claim>();

  constructor(private readonly setting: MovesSetting) {}

  admit(sessionId: string, admission: Admission): void {
    const { model } = this.setting.world;
    const instance = model.instanceById.get(admission.instanceId);
    if (!instance) throw new RangeError(`instance ${admission.instanceId} is not in the fleet`);
    const claim = grantedTo(instance, sessionId, admission);
    if (claim.phase === 'moving') this.#startMove(this.#withAction(claim, instance, false), 0);
    else this.#ask(claim, instance, 0);
  }

  /** Continues with a claim that is open when the run begins: asked, or in flight, for these milliseconds. */
  takeOver(claim: Claim, elapsedMs: number): void {
    const { world } = this.setting;
    const instance = world.model.instanceById.get(claim.instanceId);
    if (claim.phase === 'recovering') this.#endRecovery(claim, (claim.recoversAtMs ?? world.nowMs) - world.nowMs);
    else if (!instance || claim.phase === 'moving') this.#startMove(claim, elapsedMs);
    else this.#ask(claim, instance, elapsedMs);
  }

  /** The move begins with the answer, or in silence when the lead time is over. */
  #ask(claim: Claim, instance: Instance, elapsedMs: number): void {
    const { world, times, replySeconds } = this.setting;
    const windowSeconds = replyWindowOfInstance(instance, replySeconds);
    const leadMs = windowSeconds * 1000;
    world.setClaim(claim);
    world.note('notify', { instance: instance.id });
    const readyMs = times.answerMs(instance, windowSeconds);
    const isSilent = readyMs === null || readyMs > leadMs;
    world.after(Math.min(readyMs ?? leadMs, leadMs) - elapsedMs, () => {
      const isWithdrawn = world.model.claimByInstance.get(instance.id) !== claim;
      if (isWithdrawn || (isSilent && this.setting.isSilent(claim.source, instance.projectId))) return;
      if (readyMs !== null) world.note('reply', { instance: instance.id });
      const isLeftToService = readyMs === null && claim.target === noTarget && !returnsByItself(instance);
      if (isLeftToService) this.#leaveToService(claim, instance);
      else this.#startMove(this.#withAction(claim, instance, !isSilent), 0);
    });
  }

  /** Questions about instances of the host that no move has followed yet. What was asked recovers. */
  withdraw(hostname: string): void {
    const claims = this.setting.world.model.outgoingByHost.get(hostname) ?? [];
    for (const claim of claims.filter(({ phase }) => phase === 'asked')) this.#recover(claim);
  }

  #withAction(claim: Claim, instance: Instance, isAnswered: boolean): Claim {
    return { ...claim, action: this.setting.actionOf(instance, claim.action, isAnswered) };
  }

  /** Its project did not delete it: now it needs a target like any other instance. */
  #leaveToService(claim: Claim, instance: Instance): void {
    this.setting.world.setInstance({ ...instance, settledAction: instance.defaultAction });
    this.#recover(claim);
  }

  #startMove(claim: Claim, elapsedMs: number): void {
    const { world, times } = this.setting;
    const { instanceId, source, target, action } = claim;
    const instance = world.model.instanceById.get(instanceId);
    this.count += 1;
    world.note('move_start', { instance: instanceId, from: source, to: target, action });
    world.setClaim({ ...claim, phase: 'moving' });
    const moveMs = instance ? times.moveMs(instance, action) : 0;
    world.after(moveMs - elapsedMs, () => this.#endMove(claim));
  }

  #endMove(claim: Claim): void {
    const { world, arrived } = this.setting;
    const { instanceId, target } = claim;
    world.note('move_end', { instance: instanceId });
    const instance = world.model.instanceById.get(instanceId);
    if (instance) {
      world.setInstance(arrivedOn(instance, target));
      arrived?.(instanceId);
    }
    if (target === noTarget && instance && comesBackWithHost(instance)) this.#stayAway(claim);
    else this.#recover(claim);
  }

  /** It counts as impacted until its host is back. */
  #stayAway(claim: Claim): void {
    this.#away.add(claim);
    this.setting.world.setClaim({ ...claim, phase: 'recovering' });
  }

  /** The session has ended its work on the host: instances come back to it where it is in use again. */
  comeBackTo(host: Host): void {
    const { world } = this.setting;
    for (const claim of [...this.#away].filter(({ source }) => source === host.name)) {
      const instance = world.model.instanceById.get(claim.instanceId);
      this.#away.delete(claim);
      if (instance && host.enabled) world.setInstance({ ...instance, host: host.name });
      this.#recover(claim);
    }
  }

  #recover(claim: Claim): void {
    const { world } = this.setting;
    const recoveryMs = recoverySecondsOf(limitsOf(world.model, claim)) * 1000;
    world.setClaim({ ...claim, phase: 'recovering', recoversAtMs: world.nowMs + recoveryMs });
    this.#endRecovery(claim, recoveryMs);
  }

  #endRecovery({ instanceId }: Claim, leftMs: number): void {
    const { world } = this.setting;
    world.after(leftMs, () => world.model.removeClaim(instanceId));
  }
}

/** Nothing has to be made again before it leaves. */
const returnsByItself = (instance: Instance): boolean => isNotMadeAgain(instance) || comesBackWithHost(instance);

/** The way in which it left its last host tells nothing about how it will leave this one. */
const arrivedOn = (instance: Instance, host: string): Instance => {
  const arrived: { -readonly [Field in keyof Instance]: Instance[Field] } = { ...instance, host };
  delete arrived.settledAction;
  return arrived;
};
