/**
 * A session whose controllers wait for one that another session failed to maintain and left disabled. It does
 * everything else first. Then it fails and names the other controller: nobody works on that one, so waiting might never
 * end, and when the operator has repaired it, a continuation goes on where the session stopped (docs/design/states.md).
 */
import type { Host } from '../fleet/fleet';
import { failedControllerBeside, isDone } from '../fleet/host-work';
import type { FleetModel } from '../model/fleet-model';
import { canBegin } from './cannot-begin';

/**
 * The hosts on which work is left and possible. It leaves out controllers that wait for a failed controller, and hosts
 * on which work cannot begin.
 */
export const hostsToDo = (model: FleetModel, own: readonly Host[]): readonly Host[] =>
  own.filter(
    (host) => !isDone(host.work) && failedControllerBeside(model, host) === undefined && canBegin(model, host),
  );

/** Why the session fails, where nothing else is left to do; undefined where something is. */
export const failureByOtherController = (model: FleetModel, own: readonly Host[]): string | undefined => {
  if (hostsToDo(model, own).length > 0) return undefined;
  const waiting = own.filter((host) => !isDone(host.work));
  const [first] = waiting;
  const failed = first && failedControllerBeside(model, first);
  if (!failed) return undefined;
  const sessionId = failed.work?.sessionId ?? '';
  const others = waiting.map(({ name }) => `host ${name}`).join(', ');
  return (
    `controllers are maintained one at a time: ${others} cannot be while host ${failed.name} is left disabled, ` +
    (sessionId === first.work?.sessionId
      ? `which this session has set aside; repair it and retry it, then continue this session`
      : `which session ${sessionId} did not finish; ` +
        `repair it and continue or delete that session, then continue this one`)
  );
};
