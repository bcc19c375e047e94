/**
 * A session of `k8s` on a cluster whose pods are under topology spread: the product decides, and the scheduler of the
 * tests places what is made again. Budgets are kept as the API server keeps them: an eviction beyond one is refused.
 * The owner of a budget opens it for the rest of a node where waiting would never end.
 */
import type { Spread } from '../../rules/cloud/spread';
import { choicesOf } from '../../rules/decisions/both-workflows/built-in-workflow';
import { fleetOfSession } from '../../rules/decisions/both-workflows/fleet-of-session';
import type { Decision } from '../../rules/decisions/decision';
import type { Fleet, Host, Instance, Reservation, SessionState } from '../../rules/decisions/fleet/fleet';
import { stateAfterLook } from '../../rules/decisions/scale-in/when-to-scale-in';
import { decideAllVnf } from '../../rules/steps/decide-all-vnf';
import { aDeparture } from '../builders/a-departure';
import { aFleet, aGroup, aHostIn, anInstance, aSessionId, ofTheCloud } from '../builders/a-fleet';
import { SpreadingScheduler, type SpreadNode, type SpreadRule } from './spreading-scheduler';

export interface App {
  readonly name: string;
  readonly replicas: number;
  /** The number of its pods that may be out at once. */
  readonly budget: number;
  readonly rules: readonly SpreadRule[];
  /** Each of its pods can run on no other node than the one where it is. */
  readonly isBound?: boolean;
}

export interface SpreadCluster {
  readonly nodes: readonly SpreadNode[];
  readonly apps: readonly App[];
}

const maintenanceTurns = 3;
/** Every session is over long before. */
const mostTurns = 500;

interface RunningApp extends App {
  readonly scheduler: SpreadingScheduler;
  readonly spreads: readonly Spread[];
}

export class SpreadSession {
  /** How the session ended; undefined: it is under way. */
  ending: 'complete' | 'failed' | 'stalled' | undefined;
  /** The most nodes that were under work at once. */
  mostUnderWork = 0;
  readonly #cordoned = new Set<string>();
  readonly #apps: readonly RunningApp[];
  readonly #hosts: Map<string, Host>;
  readonly #backAtTurn = new Map<string, number>();
  /** The node from which the pod before was evicted. */
  readonly #leftNode = new Map<string, string>();
  #reservations: readonly Reservation[] = [];
  #state: SessionState;
  #made = 0;
  /** The turns since something has happened. */
  #quietTurns = 0;

  constructor({ nodes, apps }: SpreadCluster) {
    this.#hosts = new Map(nodes.map(({ name }) => [name, aHostIn('waiting', name, { vcpus: 64 })]));
    this.#apps = apps.map((app) => ({
      ...app,
      scheduler: new SpreadingScheduler(nodes, app.rules, this.#cordoned),
      spreads: app.rules.map((rule) => spreadOf(nodes, app, rule)),
    }));
    for (const app of this.#apps) {
      for (let at = 0; at < app.replicas; at += 1) this.#make(app);
      // A pod for which there was no place at the beginning is left out.
      for (const id of app.scheduler.idsOn(undefined)) app.scheduler.nodeOf.delete(id);
    }
    this.#state = stateAfterLook(this.fleet(), aSessionId);
  }

  /** The fleet as the session sees it now. */
  fleet(): Fleet {
    const instances = this.#apps.flatMap((app) => instancesOf(app));
    const groups = this.#apps.map(({ name, budget, scheduler }) => {
      const membersAway = scheduler.pending;
      const enforced = { key: name, name, maxImpactedMembers: budget, keptBy: ofTheCloud };
      return aGroup({ ...enforced, ...(membersAway > 0 && { membersAway }) });
    });
    const hosts = [...this.#hosts.values()];
    const reservations = this.#reservations;
    return fleetOfSession({ workflow: 'k8s', rolling: null }, aFleet({ hosts, instances, groups, reservations }));
  }

  get pending(): number {
    return this.#apps.reduce((sum, { scheduler }) => sum + scheduler.pending, 0);
  }

  run(): void {
    for (let turn = 0; turn < mostTurns && this.ending === undefined; turn += 1) {
      for (const [name, atTurn] of this.#backAtTurn) if (atTurn <= turn) this.#giveBack(name, 'maintained');
      const before = this.#words();
      this.#goOn(turn);
      this.#quietTurns = this.#words() === before ? this.#quietTurns + 1 : 0;
      if (this.#quietTurns > maintenanceTurns) this.ending ??= 'stalled';
    }
  }

  /** All that may change in a turn. */
  #words(): string {
    const pods = this.#apps.map(({ scheduler }) => [...scheduler.nodeOf]);
    return JSON.stringify([this.#state, [...this.#hosts.values()], this.#reservations, pods]);
  }

  #goOn(turn: number): void {
    if (this.#state === 'MAINTENANCE_COMPLETE') this.ending = 'complete';
    if (this.#state === 'SCALE_IN') this.ending = 'failed';
    if (this.ending) return;
    const limits = { defaultImpactShare: 0.25, maxFailedHosts: 0, ...choicesOf({ workflow: 'k8s', rolling: null }) };
    const view = { sessionId: aSessionId, state: this.#state, fleet: this.fleet() };
    const { decision, reserved } = decideAllVnf(view, 0, limits);
    this.#reservations = [...reserved].map(([instanceId, target]) => ({ instanceId, target }));
    this.#carryOut(decision, turn);
  }

  #carryOut({ next, failure, drain, begin, admit, giveBackForDeadlock }: Decision, turn: number): void {
    if (failure !== undefined) this.ending = 'failed';
    if (next !== undefined) this.#state = next;
    for (const name of drain) this.#setHost(name, aHostIn('emptying', name, { vcpus: 64 }));
    for (const { instanceId } of admit) this.#evict(instanceId);
    for (const name of giveBackForDeadlock) this.#giveBack(name, 'waiting');
    for (const name of begin) {
      this.#setHost(name, aHostIn('maintaining', name, { vcpus: 64 }));
      this.#backAtTurn.set(name, turn + maintenanceTurns);
    }
  }

  #setHost(name: string, host: Host): void {
    this.#hosts.set(name, host);
    this.#cordoned.add(name);
    this.mostUnderWork = Math.max(this.mostUnderWork, this.#cordoned.size);
  }

  #giveBack(name: string, phase: 'maintained' | 'waiting'): void {
    const releases = (this.#hosts.get(name)?.work?.releases ?? 0) + (phase === 'waiting' ? 1 : 0);
    this.#hosts.set(name, aHostIn(phase, name, { vcpus: 64, work: { releases } }));
    this.#cordoned.delete(name);
    this.#backAtTurn.delete(name);
    for (const { scheduler } of this.#apps) scheduler.placePending();
  }

  /** Drains node after node, as `kubectl drain` does. @returns false where it would wait for a budget for ever */
  drainOneByOne(): boolean {
    return [...this.#hosts.keys()].every((name) => {
      this.#cordoned.add(name);
      const isEmpty = this.#apps.every((app) => app.scheduler.idsOn(name).every((id) => this.#evict(id)));
      if (isEmpty) this.#giveBack(name, 'maintained');
      return isEmpty;
    });
  }

  #evict(id: string): boolean {
    const app = this.#apps.find(({ scheduler }) => scheduler.nodeOf.has(id));
    if (!app) return false;
    const from = app.scheduler.nodeOf.get(id);
    if (app.scheduler.pending >= app.budget && !this.#isOpenedFor(app, from)) return false;
    app.scheduler.nodeOf.delete(id);
    this.#make(app, from, app.isBound ? from : undefined);
    return true;
  }

  /** All that are Pending left the same node, and none of them comes back before it is empty. */
  #isOpenedFor({ scheduler }: RunningApp, node: string | undefined): boolean {
    return node !== undefined && scheduler.idsOn(undefined).every((id) => this.#leftNode.get(id) === node);
  }

  #make({ name, scheduler }: RunningApp, left?: string, boundTo?: string): void {
    this.#made += 1;
    const id = `${name}-${String(this.#made)}`;
    scheduler.nodeOf.set(id, undefined);
    if (left !== undefined) this.#leftNode.set(id, left);
    if (boundTo !== undefined) scheduler.boundTo.set(id, boundTo);
    scheduler.placePending();
  }
}

const instancesOf = ({ name, scheduler, spreads, isBound }: RunningApp): readonly Instance[] =>
  [...scheduler.nodeOf].flatMap(([id, host]) => {
    if (host === undefined) return [];
    const size = { vcpus: 1, memoryMb: 1 };
    const departure = aDeparture(isBound ? { place: { kind: 'back' } } : {});
    return [anInstance({ id, host, groupKey: name, defaultAction: 'EVICTION', spreads, ...size, departure })];
  });

const spreadOf = (
  nodes: readonly SpreadNode[],
  { name }: App,
  { over, maxSkew, honorsTaints }: SpreadRule,
): Spread => ({
  ...{ key: `${name} over ${over}`, name: `spread over ${over}`, maxSkew, minParts: 1 },
  partOf: new Map(nodes.map((node) => [node.name, over === 'hosts' ? node.name : node.zone])),
  ...(honorsTaints && { onlyTargets: true }),
});
