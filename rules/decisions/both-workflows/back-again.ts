/**
 * Instances that come back to the host that they leave, each time: what makes them again tolerates that the host is
 * disabled. They are moved a few times, counted over all hosts of the session; then the host waits for their owner, and
 * has failed after a while.
 */
import { type CannotMoveNow, heldBy } from '../../cloud/departure';
import { isBackOn } from '../fleet/back-on-host';
import type { Fleet, Instance } from '../fleet/fleet';
import type { ViewOfInstance } from '../fleet/seen-through';

/** An owner may learn that a host is disabled a moment after it has made the next one. */
const mostReturns = 3;

/** The time for which the owner is waited for, from when the last one was made. */
const waitMs = 5 * 60_000;

/** In decisions about the session, what comes back again and again is moved no more. Undefined: nothing does. */
export const heldIfBackAgain = (
  fleet: Pick<Fleet, 'hosts' | 'groups' | 'returns'>,
  sessionId: string,
): ViewOfInstance | undefined => {
  const timesOf = new Map(
    (fleet.returns ?? []).flatMap((one) => (one.sessionId === sessionId ? [[one.groupKey, one.times]] : [])),
  );
  if (timesOf.size === 0) return undefined;
  const hostOf = new Map(fleet.hosts.map((host) => [host.name, host]));
  const nameOf = new Map(fleet.groups.map(({ key, name }) => [key, name]));
  return (instance) => {
    const times = timesOf.get(instance.groupKey) ?? 0;
    const host = hostOf.get(instance.host);
    if (times < mostReturns || host?.work?.sessionId !== sessionId || !isBackOn(instance, host)) return instance;
    return heldBy(instance, comesBack(instance, { owner: nameOf.get(instance.groupKey) ?? '', times }));
  };
};

const comesBack = (
  { madeAtMs = 0, host }: Instance,
  { owner, times }: { readonly owner: string; readonly times: number },
): CannotMoveNow => ({
  because: `${owner} has come back ${String(times)} times to hosts that are being drained, and is on host ${host} again`,
  owner: 'project',
  help: 'let its project take away what lets it tolerate a disabled host or prefer this one',
  passesAtMs: madeAtMs + waitMs,
  isLastTry: true,
});
