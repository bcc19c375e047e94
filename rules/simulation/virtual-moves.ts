/** Carries out admissions in virtual time: instances are asked about, moved, and recover. */
import { comesBackWithHost, isNotMadeAgain } from '../cloud/departure';
import type { Admission } from '../decisions/decision';
import { noTarget } from '../decisions/fleet/double-allocation';
import type { Action, Claim, Host, Instance, Limited } from '../decisions/fleet/fleet';
import { limitsOf, recoverySecondsOf } from '../decisions/limits/limits-of-instance';
import { askedAgainAtMs, isRefusedTooOften } from '../questions/after-refusal';
import { replyWindowOfInstance } from '../questions/reply-window';
import { grantedTo } from '../steps/claim-step';
import type { MoveOutcome } from './faults';
import { simulatedActions } from './simulated-actions';
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
  /** Called when a project has refused for the last time. */
  readonly refused: (hostname: string, projectId: string) => void;
  /** Called for every instance that a move has brought to another host. */
  readonly arrived: (instanceId: string) => void;
  /** Called for every instance whose project did not carry out its own action. */
  readonly expired: (instanceId: string) => void;
  /** Called when an instance of the host could not be moved. */
  readonly failed: (hostname: string, failure: string) => void;
}

/** A question about one instance, with what its project has answered before. */
interface InstanceQuestion {
  readonly claim: Claim;
  readonly instance: Instance;
  readonly elapsedMs: number;
  readonly refusals: number;
}

export class VirtualMoves {
  count = 0;
  /** The claims of instances that have left without a place, and come back with their hosts. */
  readonly #away = new Set<Claim>();
  /** The claim about which each instance is asked, by its ID. */
  readonly #asked = new Map<string, Claim>();
  /** How long the groups of each instance recover from its claim, by its ID. */
  readonly #recoveryMs = new Map<string, number>();
  /** Instances whose projects did not carry out their own actions, as they were before. They are not asked again. */
  readonly #expired = new Map<string, Instance>();

  constructor(private readonly setting: MovesSetting) {}

  admit(sessionId: string, admission: Admission): void {
    const { model } = this.setting.world;
    const instance = model.instanceById.get(admission.instanceId);
    if (!instance) throw new RangeError(`instance ${admission.instanceId} is not in the fleet`);
    const claim = grantedTo(instance, sessionId, admission);
    if (claim.phase === 'moving') this.#begin(this.#withAction(claim, instance, false), instance);
    else this.#ask({ claim, instance, elapsedMs: 0, refusals: 0 });
  }

  /** Continues with a claim that is open when the run begins: asked, or in flight, for these milliseconds. */
  takeOver(claim: Claim, elapsedMs: number): void {
    const { world } = this.setting;
    const instance = world.model.instanceById.get(claim.instanceId);
    if (claim.phase === 'recovering') this.#endRecovery(claim, (claim.recoversAtMs ?? world.nowMs) - world.nowMs);
    else if (!instance || claim.phase === 'moving') this.#startMove(claim, elapsedMs);
    else this.#ask({ claim, instance, elapsedMs, refusals: 0 });
  }

  #ask(question: InstanceQuestion): void {
    const { world } = this.setting;
    const { claim } = question;
    world.setClaim(claim);
    this.#asked.set(claim.instanceId, claim);
    this.#noteRecovery(claim, claim);
    world.note('grant', { instance: claim.instanceId });
    world.afterStep('ask', () => this.#notify(question));
  }

  /** The move begins with the answer, or in silence when the lead time is over. */
  #notify(question: InstanceQuestion): void {
    const { world, times, replySeconds } = this.setting;
    const { claim, instance, elapsedMs } = question;
    if (!this.#isAsked(claim)) return;
    const windowSeconds = replyWindowOfInstance(instance, replySeconds);
    const leadMs = windowSeconds * 1000;
    world.note('notify', { instance: instance.id, lead: windowSeconds });
    const readyMs = times.answerMs(instance, windowSeconds);
    const isSilent = readyMs === null || readyMs > leadMs;
    world.after((isSilent ? leadMs : readyMs) - elapsedMs, () => {
      if (!this.#isAsked(claim)) return;
      const now = world.model.instanceById.get(instance.id);
      if (now === undefined) this.#withdrawOne(claim);
      else if (isSilent) this.#hearNothing({ ...question, instance: now });
      else this.#hear({ ...question, instance: now });
    });
  }

  #hearNothing({ claim, instance }: InstanceQuestion): void {
    if (instance.byTerms !== undefined) {
      this.#begin(this.#withAction(claim, instance, true), instance);
      return;
    }
    if (this.setting.isSilent(claim.source, instance.projectId)) return;
    if (claim.target === noTarget && !returnsByItself(instance)) this.#leaveToService(claim, instance);
    else this.#begin(this.#withAction(claim, instance, false), instance);
  }

  #hear({ claim, instance, refusals: before }: InstanceQuestion): void {
    const { world, refused } = this.setting;
    const isRefused = world.faults.isRefused([instance]);
    world.note('reply', { instance: instance.id, ...(isRefused && { answer: 'NACK' }) });
    const refusals = before + 1;
    if (!isRefused) this.#begin(this.#withAction(claim, instance, true), instance);
    else if (isRefusedTooOften(refusals, world.faults)) refused(claim.source, instance.projectId);
    else {
      const again = (): void => this.#notify({ claim, instance, elapsedMs: 0, refusals });
      world.after(askedAgainAtMs({ refusedAtMs: 0, refusals }, world.faults), () => world.afterStep('ask', again));
    }
  }

  #isAsked(claim: Claim): boolean {
    return this.#asked.get(claim.instanceId) === claim;
  }

  /** Questions about instances of the host that no move has followed yet. What was asked recovers. */
  withdraw(hostname: string): void {
    const claims = this.setting.world.model.outgoingByHost.get(hostname) ?? [];
    for (const claim of claims.filter(({ phase }) => phase === 'asked')) this.#withdrawOne(claim);
  }

  #withdrawOne(claim: Claim): void {
    this.setting.world.note('withdraw', { instance: claim.instanceId });
    this.#recover(claim);
  }

  #withAction(claim: Claim, instance: Instance, isAnswered: boolean): Claim {
    return { ...claim, action: this.setting.actionOf(instance, claim.action, isAnswered) };
  }

  /** Its project did not delete it: now it needs a target like any other instance. */
  #leaveToService(claim: Claim, instance: Instance): void {
    this.setting.world.setInstance({ ...instance, settledAction: instance.defaultAction });
    this.#withdrawOne(claim);
  }

  /** Decisions are taken anew where it may not begin; who was asked recovers. */
  #begin(claim: Claim, instance: Instance): void {
    const { world } = this.setting;
    if (world.faults.mayBegin(claim)) this.#startMove(claim, 0);
    else if (claim.phase === 'asked') this.#withdrawOne(claim);
    else world.model.unreserve(instance.id);
  }

  #startMove(claim: Claim, elapsedMs: number): void {
    const { world, times } = this.setting;
    const { instanceId, action } = claim;
    const instance = world.model.instanceById.get(instanceId);
    this.count += 1;
    this.#asked.delete(instanceId);
    this.#noteRecovery(claim, instance ?? claim);
    this.#noteStart(claim);
    world.setClaim({ ...claim, phase: 'moving' });
    const moveMs = instance ? times.moveMs(instance, action) : 0;
    const outcome = world.faults.outcomeOf(claim, moveMs);
    world.after(moveMs - elapsedMs, () => this.#endMove(claim, outcome));
  }

  #noteStart({ instanceId, source, target, action }: Claim, forced?: true): void {
    const fields = { instance: instanceId, from: source, to: target, action };
    this.setting.world.note('move_start', { ...fields, ...(forced && { forced }) });
  }

  #endMove(claim: Claim, outcome: MoveOutcome): void {
    const { world, arrived } = this.setting;
    const { instanceId, target } = claim;
    const instance = world.model.instanceById.get(instanceId);
    if (instance && outcome !== 'done') {
      this.#stay(claim, instance, outcome);
      return;
    }
    world.note('move_end', { instance: instanceId });
    if (instance) {
      world.setInstance(arrivedOn(instance, target, this.#expired.get(instanceId)));
      this.#expired.delete(instanceId);
      arrived(instanceId);
    }
    if (target === noTarget && instance && comesBackWithHost(instance)) this.#stayAway(claim);
    else this.#recover(claim);
  }

  #stay(claim: Claim, instance: Instance, outcome: Exclude<MoveOutcome, 'done'>): void {
    const { world, times, expired, failed } = this.setting;
    const { instanceId, source } = claim;
    world.note('move_end', { instance: instanceId, stayed: true });
    if (outcome === 'forced') {
      const forced: Claim = { ...claim, action: simulatedActions.forced };
      this.#noteStart(forced, true);
      world.after(times.moveMs(instance, forced.action), () => this.#endMove(forced, 'done'));
      return;
    }
    this.#recover(claim);
    if (outcome === 'expired') {
      if (!this.#expired.has(instanceId)) this.#expired.set(instanceId, instance);
      world.setInstance({ ...instance, leadTimeSeconds: 0 });
      expired(instanceId);
    } else failed(source, `instance ${instanceId} could not be moved`);
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

  /** By the limits that hold when it is granted, and again when it begins: later changes do not touch what goes on. */
  #noteRecovery({ instanceId }: Claim, limited: Limited): void {
    const seconds = recoverySecondsOf(limitsOf(this.setting.world.model, limited));
    this.#recoveryMs.set(instanceId, seconds * 1000);
  }

  #recover({ instanceId, ...last }: Claim): void {
    const { world } = this.setting;
    const recoveryMs = this.#recoveryMs.get(instanceId) ?? 0;
    this.#asked.delete(instanceId);
    const claim = world.model.claimByInstance.get(instanceId) ?? { instanceId, ...last };
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
const arrivedOn = (instance: Instance, host: string, expired: Instance | undefined): Instance => {
  const arrived: { -readonly [Field in keyof Instance]: Instance[Field] } = { ...instance, host };
  delete arrived.settledAction;
  if (expired === undefined) return arrived;
  delete arrived.leadTimeSeconds;
  return { ...arrived, ...(expired.leadTimeSeconds !== undefined && { leadTimeSeconds: expired.leadTimeSeconds }) };
};
