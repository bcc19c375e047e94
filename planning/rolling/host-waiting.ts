/** The reasons for which hosts of a session wait: one for each, in the words for detail, display and log. */
import { obstacleToEmptying } from './emptying';
import type { Host, Waiting } from '../fleet/fleet';
import { isEmpty } from '../fleet/host-content';
import { controllerOut, isInPhase, isStarting, isUnderWork } from '../fleet/host-work';
import { untilRecoveries } from '../limits/budget';
import { lackReason } from '../limits/reasons';
import { untilNextLook, whileStartingMs } from '../look-again';
import type { Situation } from './situation';

/** Empty hosts that cannot begin yet: not disabled, or an instance that left them is still in flight. */
export function hostsNotReady({ own, index }: Situation): readonly Waiting[] {
  const empty = own.filter((host) => isInPhase('emptying')(host) && isEmpty(index, host));
  return empty.flatMap((host) => {
    const leaving = index.outgoingByHost.get(host.name)?.[0]?.instanceId;
    if (leaving === undefined && host.work?.disabled === true) return [];
    return [{ waitingFor: 'host', who: host.name, subject: leaving ?? host.name }];
  });
}

/** The number of hosts whose own reason is computed at a decision: each costs a look at all targets. */
export const mostExplained = 100;

/** When the session has nothing under work: the reason why each of its hosts is not drained. */
export function hostsNotOpened(situation: Situation, open: readonly Host[]): readonly Waiting[] {
  if (open.length > 0 || situation.own.some(isUnderWork)) return [];
  return explained(situation.own.filter(isInPhase('waiting')), {
    why: (host) => whyNotOpened(situation, host),
    ofTheRest: (host) => waitsFor(host, host),
  });
}

interface Explanation {
  readonly why: (host: Host) => Waiting;
  /** For all but the first of many hosts, this is the only reason. */
  readonly ofTheRest: (host: Host) => Waiting;
}

/** A reason for each of the hosts. */
export function explained(hosts: readonly Host[], explanation: Explanation): readonly Waiting[] {
  return hosts.map((host, at) => (at < mostExplained ? explanation.why(host) : explanation.ofTheRest(host)));
}

/** By itself a host waits for its turn. */
export function waitsFor({ name: who }: Host, { name: subject }: Host): Waiting {
  return { waitingFor: 'host', who, subject };
}

function whyNotOpened(situation: Situation, host: Host): Waiting {
  const controller = host.type === 'controller' ? controllerOut(situation.index, host) : undefined;
  if (controller) return waitsFor(host, controller);
  const obstacle = obstacleToEmptying(situation, host);
  const starting = obstacle && situation.index.hosts.find(isStarting);
  if (starting) return waitsForStart(situation, host, starting);
  if (!obstacle || obstacle.kind === 'order') return waitsFor(host, host);
  return lackReason(obstacle, host.name, situation.nowMs);
}

function waitsForStart({ nowMs }: Situation, host: Host, starting: Host): Waiting {
  const { startingUntilMs } = starting;
  return {
    ...waitsFor(host, starting),
    ...(startingUntilMs !== undefined && { remainingMs: startingUntilMs - nowMs }),
  };
}

/** When to decide again if nothing happens before. */
export function untilNextDecision({ index, view, nowMs }: Situation): number {
  const starting = index.hosts.some(isStarting) ? [whileStartingMs] : [];
  return untilNextLook([...untilRecoveries(view.fleet.claims, nowMs), ...starting]);
}
