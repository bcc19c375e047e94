/**
 * The questions about whole hosts in a session of `default` in virtual time, and the instances that may move by their
 * answers.
 */
import { mayLeaveWithoutPlace } from '../decisions/fleet/double-allocation';
import type { Action, Instance } from '../decisions/fleet/fleet';
import { isAsked } from '../decisions/fleet/is-asked';
import { replyWindowOfHost } from '../questions/reply-window';
import type { MovesSetting } from './virtual-moves';

export interface AskingSetting extends Omit<MovesSetting, 'arrived'> {
  /** Instances whose question is settled when the run begins. */
  readonly ready: ReadonlyMap<string, Action>;
}

export class AskedHosts {
  /** Instances that may move now, each with its action. */
  readonly ready: Map<string, Action>;
  /** How often the questions about each host were withdrawn. */
  readonly #withdrawn = new Map<string, number>();

  constructor(private readonly setting: AskingSetting) {
    this.ready = new Map(setting.ready);
    for (const instanceId of this.ready.keys()) this.#noteSettled(instanceId);
  }

  /** A question to each project with instances on the host, except about instances with lead_time 0. */
  askAbout(hostname: string): void {
    const { world } = this.setting;
    const open = world.model.instancesOn(hostname).filter(({ id }) => !this.ready.has(id));
    for (const instance of open) if (!isAsked(instance)) this.#settle(instance, false);
    const asked = open.filter(isAsked);
    const projectIds = new Set(asked.map(({ projectId }) => projectId));
    for (const projectId of projectIds) {
      const instances = asked.filter((instance) => instance.projectId === projectId);
      this.#askProject(hostname, projectId, instances);
    }
  }

  /** The instance is on another host now, where it is asked about again. */
  forget(instanceId: string): void {
    this.ready.delete(instanceId);
  }

  /** The host is given back: it is asked about anew when it is drained again. */
  withdraw(hostname: string): void {
    this.#withdrawn.set(hostname, this.#withdrawals(hostname) + 1);
    for (const { id } of this.setting.world.model.instancesOn(hostname)) this.forget(id);
  }

  #withdrawals(hostname: string): number {
    return this.#withdrawn.get(hostname) ?? 0;
  }

  #askProject(hostname: string, projectId: string, instances: readonly Instance[]): void {
    const { world, times, replySeconds, isSilent } = this.setting;
    const windowSeconds = replyWindowOfHost(instances, replySeconds);
    const windowMs = windowSeconds * 1000;
    const answers = instances.map((instance) => times.answerMs(instance, windowSeconds) ?? Infinity);
    const answerMs = Math.max(...answers);
    world.note('notify_project', { host: hostname, project: projectId, window: windowSeconds });
    const withdrawals = this.#withdrawals(hostname);
    world.after(Math.min(answerMs, windowMs), () => {
      if (this.#withdrawals(hostname) !== withdrawals) return;
      if (answerMs > windowMs && isSilent(hostname, projectId)) return;
      for (const { id } of instances) {
        const instance = world.model.instanceById.get(id);
        if (instance?.host === hostname) this.#settle(instance, answerMs <= windowMs);
      }
    });
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
