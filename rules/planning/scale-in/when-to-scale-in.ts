/**
 * Decides whether a session asks projects for capacity (SCALE_IN), at its beginning and while it works: it does where
 * no host that is left can be drained, and nothing is worth waiting for. How much is missing, and which projects are
 * asked: scale-in-need.ts.
 */
import type { Decision } from '../decision';
import type { Fleet, Host, SessionState } from '../fleet/fleet';
import { controllerOut, isUnderWork } from '../fleet/host-work';
import { FleetModel } from '../model/fleet-model';
import { isEmpty } from '../model/host-content';
import { cheapestToDrain } from '../rolling/cheapest-to-drain';
import { isAnyRefusalPassing, isSoonOver } from '../rolling/deadlock';
import { failureByOtherController, hostsToDo } from '../rolling/failed-controller';
import { drainedFirst, isAnyFreedBy } from '../rolling/hosts-that-end';
import { ownHosts, type SessionFacts } from '../rolling/session-facts';

/** True when one of the hosts is empty, or all of its instances find a place elsewhere now. */
export const isAnyDrainable = (model: FleetModel, hosts: readonly Host[]): boolean =>
  hosts.some((host) => isEmpty(model, host)) || cheapestToDrain(model, hosts) !== undefined;

/**
 * Decides for a session that has nothing under work and nothing to begin. The session waits while that is worth it.
 * Otherwise it asks for capacity, or fails where everything that is left waits for a controller that failed.
 */
export const whenIdle = (facts: SessionFacts): Partial<Decision> => {
  if (isWorthWaiting(facts)) return {};
  const failure = failureByOtherController(facts.model, ownHosts(facts));
  return failure === undefined ? { next: 'SCALE_IN' } : { failure };
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
  const working = model.hosts.filter(isUnderWork);
  if (isAnyFreedBy(model, { drained: [], asTheyAre: working }, todo)) return true;
  if (isAnyFreedBy(model, drainedFirst(working), todo)) return true;
  // An empty host needs no capacity: if it cannot be drained, another session has reserved a place on it.
  return isAnyDrainable(model, todo);
};

/**
 * The state in which a session begins, or goes on after SCALE_IN, by a fresh look at the fleet. An empty host still to
 * do exists, or nothing is left: START. One can be drained by moves: PREPARE. Else SCALE_IN.
 */
export const stateAfterLook = (fleet: Fleet, sessionId: string): SessionState => {
  const model = new FleetModel(fleet);
  const todo = hostsToDo(model, model.hostsOf(sessionId));
  if (todo.length === 0 || todo.some((host) => isEmpty(model, host))) return 'START_MAINTENANCE';
  return isAnyDrainable(model, todo) ? 'PREPARE_MAINTENANCE' : 'SCALE_IN';
};
