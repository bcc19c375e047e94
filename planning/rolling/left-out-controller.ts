/**
 * A session whose controllers wait for a controller that another session failed to maintain and left disabled. The
 * session does everything else first. Then it fails and names that controller. No session works on it, so a wait might
 * never end; after the operator has repaired it, a resume continues the session (docs/design/states.md).
 */
import type { FleetIndex } from '../fleet/fleet-index';
import type { Host } from '../fleet/fleet';
import { controllerLeftOut, isDone } from '../fleet/host-work';

/** The session's hosts on which work can follow: all that are not over, except controllers that wait in this way. */
export function hostsToDo(index: Pick<FleetIndex, 'hosts'>, own: readonly Host[]): readonly Host[] {
  return own.filter((host) => !isDone(host.work) && controllerLeftOut(index, host) === undefined);
}

/** The reason why the session fails, when no other work is left; undefined when some is. */
export function failureOfLeftOutController(index: Pick<FleetIndex, 'hosts'>, own: readonly Host[]): string | undefined {
  if (hostsToDo(index, own).length > 0) return undefined;
  const reasons = own.flatMap((host) => {
    const out = isDone(host.work) ? undefined : controllerLeftOut(index, host);
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
