/** Why hosts of a session wait: one reason each, in the words that detail, display and log show. */
import { obstacleToEmptying } from './emptying';
import type { Host, Waiting } from './fleet';
import { isEmpty } from './host-content';
import { controllerOut, isInPhase, isUnderWork } from './host-work';
import { lackSubject } from './reasons';
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

/** Where the session has nothing under work: why each of its hosts is not opened. */
export function hostsNotOpened(situation: Situation, open: readonly Host[]): readonly Waiting[] {
  if (open.length > 0 || situation.own.some(isUnderWork)) return [];
  return situation.own.filter(isInPhase('waiting')).map((host) => whyNotOpened(situation, host));
}

function whyNotOpened(situation: Situation, host: Host): Waiting {
  const controller = host.type === 'controller' ? controllerOut(situation.index, host) : undefined;
  if (controller) return { waitingFor: 'host', who: host.name, subject: controller.name };
  const obstacle = obstacleToEmptying(situation, host);
  if (!obstacle || obstacle.kind === 'order') return { waitingFor: 'host', who: host.name, subject: host.name };
  return { waitingFor: obstacle.kind, who: host.name, subject: lackSubject(situation.index, obstacle) };
}
