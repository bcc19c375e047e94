/**
 * The questions about whole hosts in a session of `default` in virtual time, and the instances that may move by their
 * answers.
 */
import { mayLeaveWithoutPlace } from '../decisions/fleet/double-allocation';
import type { Action, Instance } from '../decisions/fleet/fleet';
import { isAsked } from '../decisions/fleet/is-asked';
import { askedAgainAtMs, isRefusedTooOften } from '../questions/after-refusal';
import { replyWindowOfHost } from '../questions/reply-window';
import type { MovesSetting } from './virtual-moves';

export interface AskingSetting extends Pick<
  MovesSetting,
  'world' | 'times' | 'replySeconds' | 'actionOf' | 'isSilent' | 'refused'
> {
  /** Instances whose question is settled when the run begins. */
  readonly ready: ReadonlyMap<string, Action>;
}

/** A question to a project about its instances on a host, with the number of its refusals before. */
interface ProjectQuestion {
  readonly hostname: string;
  readonly projectId: string;
  readonly instances: readonly Instance[];
  readonly refusals: number;
}

export class AskedHosts {
  /** Instances that may move now, each with its action. */
  readonly ready: Map<string, Action>;
  /** How often the questions about each host were withdrawn. */
  readonly #withdrawn = new Map<string, number>();
  /** The instances with which each one is asked about, by its ID, while the answer is awaited. */
  readonly #awaited = new Map<string, readonly Instance[]>();

  constructor(private readonly setting: AskingSetting) {
    this.ready = new Map(setting.ready);
    for (const instanceId of this.ready.keys()) this.#noteSettled(instanceId);
  }

  /** A question to each project with instances on the host, except about instances with lead_time 0. */
  askAbout(hostname: string): void {
    const { world } = this.setting;
    const unknown = world.model.instancesOn(hostname).filter(({ id }) => !this.ready.has(id) && !this.#awaited.has(id));
    for (const instance of unknown) if (!isAsked(instance)) this.#settle(instance, false);
    const asked = Map.groupBy(unknown.filter(isAsked), ({ projectId }) => projectId);
    for (const [projectId, instances] of asked) {
      for (const { id } of instances) this.#awaited.set(id, instances);
      this.#askProject({ hostname, projectId, instances, refusals: 0 });
    }
  }

  /** The instance is on another host now, where it is asked about again. */
  forget(instanceId: string): void {
    this.ready.delete(instanceId);
    this.#awaited.delete(instanceId);
  }

  /** The project has not carried out its own action: the service moves the instance now. */
  expire(instanceId: string): void {
    const instance = this.setting.world.model.instanceById.get(instanceId);
    if (instance && this.ready.has(instanceId)) this.#settle(instance, false);
  }

  /** The host is given back: it is asked about anew when it is drained again. */
  withdraw(hostname: string): void {
    this.#withdrawn.set(hostname, this.#withdrawals(hostname) + 1);
    for (const { id } of this.setting.world.model.instancesOn(hostname)) this.forget(id);
  }

  #withdrawals(hostname: string): number {
    return this.#withdrawn.get(hostname) ?? 0;
  }

  #askProject(question: ProjectQuestion): void {
    const { world, times, replySeconds } = this.setting;
    const { hostname, projectId, instances } = question;
    const windowSeconds = replyWindowOfHost(instances, replySeconds);
    const windowMs = windowSeconds * 1000;
    const answers = instances.map((instance) => times.answerMs(instance, windowSeconds) ?? Infinity);
    const answerMs = Math.max(...answers);
    world.note('notify_project', {
      ...{ host: hostname, project: projectId, window: windowSeconds },
      instances: this.#namesIn(question),
    });
    this.#unlessWithdrawn(hostname, Math.min(answerMs, windowMs), () => {
      if (answerMs <= windowMs) this.#hear(question);
      else if (instances.every(({ byTerms }) => byTerms !== undefined)) this.#settleAll(question, true);
      else if (!this.setting.isSilent(hostname, projectId)) this.#settleAll(question, false);
    });
  }

  #unlessWithdrawn(hostname: string, ms: number, happen: () => void): void {
    const withdrawals = this.#withdrawals(hostname);
    this.setting.world.after(ms, () => {
      if (this.#withdrawals(hostname) === withdrawals) happen();
    });
  }

  #hear(question: ProjectQuestion): void {
    const { world, refused } = this.setting;
    const { hostname, projectId, instances } = question;
    if (this.#stillIn(question).length === 0) return;
    const isRefused = world.faults.isRefused(instances);
    world.note('reply_project', { instances: this.#namesIn(question), ...(isRefused && { answer: 'NACK' }) });
    const refusals = question.refusals + 1;
    if (!isRefused) this.#settleAll(question, true);
    else if (isRefusedTooOften(refusals, world.faults)) refused(hostname, projectId);
    else {
      const again = (): void => this.#askProject({ ...question, refusals });
      this.#unlessWithdrawn(hostname, askedAgainAtMs({ refusedAtMs: 0, refusals }, world.faults), again);
    }
  }

  /** Those of its instances about which nothing else was asked since. */
  #stillIn({ instances }: ProjectQuestion): readonly Instance[] {
    return instances.filter(({ id }) => this.#awaited.get(id) === instances);
  }

  #namesIn(question: ProjectQuestion): string {
    const ids = this.#stillIn(question).map(({ id }) => id);
    return ids.join(' ');
  }

  #settleAll(question: ProjectQuestion, isAnswered: boolean): void {
    for (const { id } of this.#stillIn(question)) {
      const instance = this.setting.world.model.instanceById.get(id);
      this.#awaited.delete(id);
      if (instance?.host === question.hostname) this.#settle(instance, isAnswered);
    }
  }

  #settle(instance: Instance, isAnswered: boolean): void {
    this.ready.set(instance.id, this.setting.actionOf(instance, instance.defaultAction, isAnswered));
    this.#noteSettled(instance.id);
  }

  /** A project that chose an own action may act without a reserved place, whatever its constraints expect. */
  #noteSettled(instanceId: string): void {
    const { world } = this.setting;
    const instance = world.model.instanceById.get(instanceId);
    const settledAction = this.ready.get(instanceId);
    if (instance?.resourceMitigation !== false || settledAction === undefined) return;
    if (mayLeaveWithoutPlace(instance) || settledAction === 'OWN_ACTION')
      world.setInstance({ ...instance, settledAction });
  }
}
