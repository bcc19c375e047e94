/** Why hosts of a session wait: one reason each, in the words that detail, display and log show. */
import { obstacleToEmptying } from './emptying';
import type { Host, Waiting } from '../fleet/fleet';
import { isEmpty } from '../fleet/host-content';
import { controllerOut, isInPhase, isUnderWork } from '../fleet/host-work';
import { lackSubject } from '../limits/reasons';
import type { Situation } from './situation';

/** Empty hosts that cannot begin yet: not disabled, or something that left them is still in flight. */
export function hostsNotReady({ own, index }: Situation): readonly Waiting[] {
  const empty = own.filter((host) => isInPhase('emptying')(host) && isEmpty(index, host));
  return empty.flatMap((host) => {
    const leaving = index.outgoingByHost.get(host.name)?.[0]?.instanceId;
    if (leaving === undefined && host.work?.disabled === true) return [];
    return [{ waitingFor: 'host', who: host.name, subject: leaving ?? host.name }];
  });
}

/**
 * Hosts whose own reason is looked for at a decision: that costs a look at all targets, and this is asked at every
 * decision. The others wait for the first of these, which is no less true.
 */
export const mostExplained = 100;

/** Where the session has nothing under work: why each of its hosts is not opened. */
export function hostsNotOpened(situation: Situation, open: readonly Host[]): readonly Waiting[] {
  if (open.length > 0 || situation.own.some(isUnderWork)) return [];
  return explained(situation.own.filter(isInPhase('waiting')), (host) => whyNotOpened(situation, host));
}

/** A reason for each of the hosts; of many only the first get one of their own. */
export function explained(hosts: readonly Host[], why: (host: Host) => Waiting): readonly Waiting[] {
  const subject = hosts[0]?.name ?? '';
  return hosts.map((host, at) => (at < mostExplained ? why(host) : { waitingFor: 'host', who: host.name, subject }));
}

function whyNotOpened(situation: Situation, host: Host): Waiting {
  const controller = host.type === 'controller' ? controllerOut(situation.index, host) : undefined;
  if (controller) return { waitingFor: 'host', who: host.name, subject: controller.name };
  const obstacle = obstacleToEmptying(situation, host);
  if (!obstacle || obstacle.kind === 'order') return { waitingFor: 'host', who: host.name, subject: host.name };
  return { waitingFor: obstacle.kind, who: host.name, subject: lackSubject(situation.index, obstacle) };
}
