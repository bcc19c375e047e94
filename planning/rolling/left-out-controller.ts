/**
 * A session whose controllers wait for one that another session failed to maintain and left disabled. It does
 * everything else first. Then it fails and says whom it waits for: nobody works on that one, so waiting might never
 * end, and when the operator has repaired it, a resume goes on where the session stopped (docs/design/states.md).
 */
import type { FleetIndex } from '../fleet/fleet-index';
import type { Host } from '../fleet/fleet';
import { controllerLeftOut, isOver } from '../fleet/host-work';

/**
 * The session's hosts that something can be done for: all that are not over, but for controllers that wait so.
 */
export function hostsToDo(index: Pick<FleetIndex, 'hosts'>, own: readonly Host[]): readonly Host[] {
  return own.filter((host) => !isOver(host) && controllerLeftOut(index, host) === undefined);
}

/** Why the session fails, where nothing else is left to do; undefined where something is. */
export function failureOfLeftOutController(index: Pick<FleetIndex, 'hosts'>, own: readonly Host[]): string | undefined {
  if (hostsToDo(index, own).length > 0) return undefined;
  const reasons = own.flatMap((host) => {
    const out = isOver(host) ? undefined : controllerLeftOut(index, host);
    return out ? [{ host, out }] : [];
  });
  const [first] = reasons;
  if (!first) return undefined;
  const { name, work } = first.out;
  const isOwn = work?.sessionId === first.host.work?.sessionId;
  return (
    `controllers are maintained one at a time: ${reasons.map(({ host }) => `host ${host.name}`).join(', ')} cannot be ` +
    `while host ${name} is left disabled, ` +
    (isOwn
      ? `which this session has set aside; repair it and retry it, then resume this session`
      : `which session ${work?.sessionId ?? ''} did not finish; ` +
        `repair it and resume or delete that session, then resume this one`)
  );
}
