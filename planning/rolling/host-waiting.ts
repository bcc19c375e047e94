/** Why hosts of a session wait: one reason each, in the words that detail, display and log show. */
import { obstacleToEmptying } from './emptying';
import type { Host, Waiting } from '../fleet/fleet';
import { isEmpty } from '../fleet/host-content';
import { controllerOut, isInPhase, isStarting, isUnderWork } from '../fleet/host-work';
import { untilRecoveries } from '../limits/budget';
import { lackReason } from '../limits/reasons';
import { untilNextLook, whileStartingMs } from '../look-again';
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

/** Hosts whose own reason is looked for at a decision: that costs a look at all targets, and it is asked at each. */
export const mostExplained = 100;

/** Where the session has nothing under work: why each of its hosts is not opened. */
export function hostsNotOpened(situation: Situation, open: readonly Host[]): readonly Waiting[] {
  if (open.length > 0 || situation.own.some(isUnderWork)) return [];
  return explained(situation.own.filter(isInPhase('waiting')), {
    why: (host) => whyNotOpened(situation, host),
    ofTheRest: (host) => waitsFor(host, host),
  });
}

interface Explanation {
  readonly why: (host: Host) => Waiting;
  /** Of many hosts all but the first are told no more than that. */
  readonly ofTheRest: (host: Host) => Waiting;
}

/** A reason for each of the hosts. */
export function explained(hosts: readonly Host[], explanation: Explanation): readonly Waiting[] {
  return hosts.map((host, at) => (at < mostExplained ? explanation.why(host) : explanation.ofTheRest(host)));
}

/** Of itself a host waits for its turn. */
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
