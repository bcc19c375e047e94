/**
 * Decides whether a session asks projects for capacity (SCALE_IN), at its beginning and while it works: it does where
 * no host that is left can be drained, and nothing is worth waiting for. How much is missing, and which projects are
 * asked: scale-in-need.ts.
 */
import { haveOwnerTimes } from '../../owner-times/release';
import { failureNotBegun, whyCannotBegin } from '../both-workflows/cannot-begin';
import { cheapestToDrain } from '../both-workflows/cheapest-to-drain';
import {
  isAnyHostPassing,
  isAnyRefusalPassing,
  isAnyStatePassing,
  isSoonOver,
  withoutOverdue,
} from '../both-workflows/deadlock';
import { hostsToDo, whyLeftOut } from '../both-workflows/failed-controller';
import { drainedFirst, isAnyFreedBy } from '../both-workflows/hosts-that-end';
import { hostsThatMayHaveFailed, ownHosts, type SessionFacts } from '../both-workflows/session-facts';
import type { Decision } from '../decision';
import type { Fleet, Host, SessionState } from '../fleet/fleet';
import { controllerOut, isDone, isUnderWork } from '../fleet/host-work';
import { whyKeptDisabled } from '../fleet/kept-disabled';
import { ifTheseFail } from '../fleet/set-aside-or-fail';
import { FleetModel } from '../model/fleet-model';
import { isEmpty } from '../model/host-content';

/** True when one of the hosts is empty, or all of its instances find a place elsewhere now. */
export const isAnyDrainable = (model: FleetModel, hosts: readonly Host[]): boolean =>
  hosts.some((host) => isEmpty(model, host)) || cheapestToDrain(model, hosts) !== undefined;

/**
 * Decides for a session that has nothing under work and nothing to begin. The session waits while that is worth it.
 * Otherwise it asks for capacity; where none would help, it goes on without the hosts that are left, or fails.
 */
export const whenIdle = (facts: SessionFacts): Partial<Decision> => {
  const { model, limits } = facts;
  const left = ownHosts(facts).filter(({ work }) => !isDone(work));
  if (isWorthWaiting(facts) || isAnyStatePassing(facts, left)) return {};
  const todo = hostsToDo(model, left);
  if (todo.length > 0) return withoutKeptDisabled(facts, todo) ?? { next: 'SCALE_IN' };
  const kept = left.flatMap((host) => whyCannotBegin(model, host) ?? []);
  const failing = kept.filter(({ kind }) => kind !== 'overdue' && kind !== 'unplaced').map(failureNotBegun);
  if (failing.length > 0) return ifTheseFail(hostsThatMayHaveFailed(facts), failing, limits.maxFailedHosts);
  if (kept.some((why) => why.kind === 'unplaced' && why.limit.overdue === undefined)) return {};
  if (kept.length > 0) return withoutOverdue(facts, kept);
  const controllers = whyLeftOut(model, left);
  return controllers ? { failure: `${controllers.because}; ${controllers.help}` } : { next: 'SCALE_IN' };
};

/**
 * What becomes of hosts that could be drained if others were back which somebody keeps disabled: no project is asked to
 * scale in for these. undefined: they would not help.
 */
const withoutKeptDisabled = (facts: SessionFacts, todo: readonly Host[]): Partial<Decision> | undefined => {
  const { model, limits } = facts;
  const kept = keptThatWouldHelp(model, todo);
  if (kept.length === 0) return undefined;
  const because = kept.map(whyKeptDisabled).join('; ');
  const failing = todo.map(({ name }) => ({
    hostname: name,
    failure: `host ${name} cannot be drained, because another host that would take its instances is disabled: ${because}`,
  }));
  return ifTheseFail(hostsThatMayHaveFailed(facts), failing, limits.maxFailedHosts);
};

const keptThatWouldHelp = (model: FleetModel, todo: readonly Host[]): readonly Host[] => {
  const kept = model.hosts.filter((host) => whyKeptDisabled(host) !== undefined);
  return isAnyFreedBy(model, { drained: [], asTheyAre: kept }, todo) ? kept : [];
};

/**
 * True when a session that has nothing under work itself should wait for other sessions instead of asking for capacity:
 * its own actions are in flight or recover, or a host just maintained is starting, which is soon over; or what others
 * have under work or in flight will be what it waits for. A long maintenance, or question, that gives no capacity for
 * any of its hosts is not waited for.
 */
const isWorthWaiting = (facts: SessionFacts): boolean => {
  const { model } = facts;
  if (isSoonOver(facts)) return true;
  const todo = hostsToDo(model, ownHosts(facts));
  if (isAnyRefusalPassing(facts, todo) || todo.some((host) => controllerOut(model, host))) return true;
  if (isAnyHostPassing(model, todo)) return true;
  const working = model.hosts.filter(isUnderWork);
  if (isAnyFreedBy(model, { drained: [], asTheyAre: working }, todo)) return true;
  if (isAnyFreedBy(model, drainedFirst(working), todo)) return true;
  // An empty host needs no capacity: if it cannot be drained, another session has reserved a place on it.
  return isAnyDrainable(model, todo);
};

/**
 * The state in which a session goes on after SCALE_IN: a session that has rolled on before does so again.
 * @param first for a session that has not
 */
export const stateAfterScaleIn = <State extends string>(hasRolled: boolean, first: () => State) =>
  hasRolled ? 'PLANNED_MAINTENANCE' : first();

/**
 * The state in which a session begins, or goes on after SCALE_IN, by a fresh look at the fleet. An empty host still to
 * do exists, or nothing is left: START. One can be drained by moves: PREPARE. Else SCALE_IN.
 */
export const stateAfterLook = (fleet: Fleet, sessionId: string): SessionState => {
  const model = new FleetModel(fleet);
  const todo = hostsToDo(model, model.hostsOf(sessionId));
  if (todo.length === 0 || todo.some((host) => isEmpty(model, host))) return 'START_MAINTENANCE';
  // The rolling work waits for the owners first (rules/steering/put-off.ts), and then asks for what is still lacking.
  const isPutOff = model.hasOwnerTimes && todo.some(({ name }) => haveOwnerTimes(model.instancesOn(name)));
  const isPossible = isPutOff || isAnyDrainable(model, todo) || keptThatWouldHelp(model, todo).length > 0;
  return isPossible ? 'PREPARE_MAINTENANCE' : 'SCALE_IN';
};
