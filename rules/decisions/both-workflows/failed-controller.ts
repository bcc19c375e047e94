/**
 * A session whose controllers wait for one that another session failed to maintain and left disabled. It does
 * everything else first. Then it fails and names the other controller: nobody works on that one, so waiting might never
 * end, and when the operator has repaired it, a continuation goes on where the session stopped (docs/design/states.md).
 */
import type { Cause } from '../../obstacles/blocker';
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

/** Why none of these hosts is maintained, where a failed controller keeps the first of them from it. */
export const whyLeftOut = (model: FleetModel, hosts: readonly Host[]): Cause | undefined => {
  const [first] = hosts;
  const failed = first && failedControllerBeside(model, first);
  if (!failed) return undefined;
  const names = hosts.map(({ name }) => `host ${name}`).join(', ');
  const sessionId = failed.work?.sessionId ?? '';
  const [whose, help] =
    sessionId === first.work?.sessionId
      ? ['this session has set aside', 'retry it, then continue this session']
      : [`session ${sessionId} did not finish`, 'continue or delete that session, then continue this one'];
  return {
    owner: 'admin',
    because: `controllers are maintained one at a time: ${names} cannot be while host ${failed.name} is left disabled, which ${whose}`,
    help: `repair host ${failed.name} and ${help}`,
  };
};
