/** Decides the state in which a session begins its work, or continues after SCALE_IN, on a fresh look at the fleet. */
import { cheapestToEmpty, outlookOn } from './emptying';
import type { Fleet, SessionState } from '../fleet/fleet';
import { indexFleet } from '../fleet/fleet-index';
import { isEmpty } from '../fleet/host-content';
import { hostsOf } from '../fleet/host-work';
import { hostsToDo } from './left-out-controller';

/**
 * START when a waiting host is empty, or nothing is left. PREPARE when a host can be drained by moves. Otherwise
 * SCALE_IN.
 */
export function stateAfterLook(fleet: Fleet, sessionId: string): SessionState {
  const index = indexFleet(fleet);
  const todo = hostsToDo(index, hostsOf(index, sessionId));
  if (todo.length === 0 || todo.some((host) => isEmpty(index, host))) return 'START_MAINTENANCE';
  return cheapestToEmpty(outlookOn(index), todo) ? 'PREPARE_MAINTENANCE' : 'SCALE_IN';
}
