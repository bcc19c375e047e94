/**
 * The ways on when nothing can go on: a host that cannot be drained is given back and tried later, a bounded number of
 * times; then it has failed and says what is lacking.
 */
import type { Host } from '../fleet/fleet';
import { becomesTarget, controllerOut, isInPhase, isStarting, isUnderWork } from '../fleet/host-work';
import { compareText } from '../fleet/ordered';
import type { SetAside } from '../fleet/set-aside-or-fail';
import { cannotBeDrained } from '../limits/lack';
import { untilPassed } from '../limits/refusals';
import type { FleetModel } from '../model/fleet-model';
import { instancesToMoveAway, isEmpty } from '../model/host-content';
import { cheapestToDrain, lackOfRest } from './cheapest-to-drain';
import { hostsToDo } from './failed-controller';
import { hostsThatEnd } from './hosts-that-end';
import { ownHosts, type SessionFacts } from './session-facts';

export type WayOut =
  | { readonly kind: 'none' }
  | { readonly kind: 'release'; readonly hostname: string }
  | { readonly kind: 'fail'; readonly host: SetAside };

/**
 * The way out of a deadlock: the least drained of the session's hosts whose rest has no place, where nothing else can
 * change anything.
 */
export const wayOut = (facts: SessionFacts): WayOut => {
  const { model, limits } = facts;
  const stuck = ownHosts(facts, 'emptying').filter((host) => lackOfRest(model, host));
  const [host] = stuck.toSorted((one, other) => byLeastDrained(model, one, other));
  const lack = host && lackOfRest(model, host);
  if (!lack || mayStillChange(facts, stuck)) return { kind: 'none' };
  if ((host.work?.releases ?? 0) < limits.releases) return { kind: 'release', hostname: host.name };
  return { kind: 'fail', host: { hostname: host.name, failure: cannotBeDrained(host.name, lack) } };
};

const byLeastDrained = (model: FleetModel, one: Host, other: Host): number =>
  model.instancesOn(other.name).length - model.instancesOn(one.name).length || compareText(one.name, other.name);

/**
 * True when capacity may still come without anybody doing more: something of the session is in flight or recovering,
 * another host of it goes on, or the work of other sessions will free enough for one of the stuck hosts.
 */
const mayStillChange = (facts: SessionFacts, stuck: readonly Host[]): boolean => {
  const { model, sessionId } = facts;
  if (isSoonOver(facts) || isAnyRefusalPassing(facts, stuck)) return true;
  const working = model.hosts.filter((host) => isUnderWork(host) && !stuck.includes(host));
  return working.some(({ work }) => work?.sessionId === sessionId) || isAnyFreedBy(model, drainedFirst(working), stuck);
};

/**
 * True when a session that has nothing under work itself should wait for other sessions instead of asking for capacity:
 * its own actions are in flight or recover, or a host just maintained is starting, which is soon over; or what others
 * have under work or in flight will be what it waits for. A long maintenance, or question, that gives no capacity for
 * any of its hosts is not waited for.
 */
export const isWorthWaiting = (facts: SessionFacts): boolean => {
  const { model } = facts;
  if (isSoonOver(facts)) return true;
  const todo = hostsToDo(model, ownHosts(facts));
  if (isAnyRefusalPassing(facts, todo) || todo.some((host) => controllerOut(model, host))) return true;
  const working = model.hosts.filter(isUnderWork);
  if (isAnyFreedBy(model, { drained: [], asTheyAre: working }, todo)) return true;
  if (isAnyFreedBy(model, drainedFirst(working), todo)) return true;
  // An empty host needs no capacity: if it cannot be drained, another session has reserved a place on it.
  return todo.some((host) => isEmpty(model, host)) || cheapestToDrain(model, todo) !== undefined;
};

/**
 * An action of the session is open, or a host of any session is starting, which is limited. Of actions of other
 * sessions it says nothing: their projects may take days to answer, and give no capacity to this one.
 */
const isSoonOver = ({ model, sessionId }: SessionFacts): boolean =>
  model.hosts.some(isStarting) || [...model.claimByInstance.values()].some((claim) => claim.sessionId === sessionId);

/** A target was refused to something that has to leave one of these, and the cloud is asked once more in any case. */
const isAnyRefusalPassing = ({ model, nowMs }: SessionFacts, hosts: readonly Host[]): boolean => {
  const instances = hosts.flatMap(({ name }) => instancesToMoveAway(model, name));
  return instances.some(({ id }) => untilPassed(model.refusalsOf(id), nowMs) !== undefined);
};

/** Hosts under work that will be back: drained first, each that can be, or as they are. */
interface Returning {
  readonly drained: readonly Host[];
  readonly asTheyAre: readonly Host[];
}

const drainedFirst = (working: readonly Host[]): Returning => {
  const isGivenBack = isInPhase('releasing');
  return { drained: working.filter((host) => !isGivenBack(host)), asTheyAre: working.filter(isGivenBack) };
};

/** True when one of the hosts could be drained after all moves have ended and those hosts are back, one by one. */
const isAnyFreedBy = (model: FleetModel, { drained, asTheyAre }: Returning, hosts: readonly Host[]): boolean =>
  hosts.some((host) => hostsThatEnd(model, [...drained, host], asTheyAre.filter(becomesTarget)).includes(host));
