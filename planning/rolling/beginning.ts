/** How a session begins, or goes on after SCALE_IN: decided on a fresh look at the fleet. */
import type { Fleet, SessionState } from '../fleet/fleet';
import { FleetModel } from '../model/fleet-model';
import { isEmpty } from '../model/host-content';
import { cheapestToDrain } from './cheapest-to-drain';
import { hostsToDo } from './failed-controller';

/** An empty host still to do exists, or nothing is left: START. One can be drained by moves: PREPARE. Else SCALE_IN. */
export const stateAfterLook = (fleet: Fleet, sessionId: string): SessionState => {
  const model = new FleetModel(fleet);
  const todo = hostsToDo(model, model.hostsOf(sessionId));
  if (todo.length === 0 || todo.some((host) => isEmpty(model, host))) return 'START_MAINTENANCE';
  return cheapestToDrain(model, todo) ? 'PREPARE_MAINTENANCE' : 'SCALE_IN';
};
