/** One case: a session on a service of its own, of which processes are killed at moments. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';
import { actionFor, fleetUnderFire, projectIds } from './fleet-under-fire';
import { goOn, type Moment, momentReached } from './moments';
import { type PersistentManager, startPersistentManager } from './persistent-manager';
import { type FireOptions, type ServiceUnderFire, type Victim, withServiceUnderFire } from './service-under-fire';
import { longestIdleMs, type Outage } from './silence';
import type { Killed } from './supervised';
import { untilOver } from './until-over';
import { violations } from './violations';
import { readWhatHappened } from './what-happened';

export interface Kill {
  readonly victim: Victim;
  /** When: a named moment, or a time after that many events. */
  readonly moment: Moment | RandomMoment;
}

/** One after the other, in the order in which their moments come. */
export type FireCase = readonly Kill[];

export interface RandomMoment {
  readonly events: number;
  readonly afterMs: number;
}

export interface FireOutcome {
  readonly state: string;
  readonly violations: readonly string[];
  /** The longest time without any sign of work after the first kill, times in which a victim was away left out. */
  readonly longestSilenceMs: number;
  /** The time from the session's creation to its end. */
  readonly tookMs: number;
  readonly moves: number;
  readonly replies: number;
  readonly events: number;
}

const untilMoment = async ({ folder, db }: ServiceUnderFire, moment: Kill['moment']): Promise<void> => {
  if (typeof moment === 'string') {
    await momentReached(folder, moment);
    return;
  }
  const { events, afterMs } = moment;
  await eventually(`${events} events are recorded`, async () =>
    (await db.event.count()) >= events ? true : undefined,
  );
  await pause(afterMs);
};

interface KilledVictim extends Killed {
  readonly victim: Victim;
}

interface Session {
  readonly service: ServiceUnderFire;
  readonly managers: readonly PersistentManager[];
}

/** The next moment may come while the victim before is away, so nobody waits here until that is up again. */
const killAll = async (service: ServiceUnderFire, kills: FireCase): Promise<readonly KilledVictim[]> => {
  const killed: KilledVictim[] = [];
  for (const { victim, moment } of kills) {
    await untilMoment(service, moment);
    killed.push({ victim, ...(await service.kill(victim)) });
    if (typeof moment === 'string') await goOn(service.folder, moment);
  }
  return killed;
};

const toOutage = async ({ victim, at, upAgain }: KilledVictim): Promise<Outage> => ({
  victim,
  at,
  until: await upAgain,
});

const runSession = async ({ service, managers }: Session, fireCase: FireCase): Promise<FireOutcome> => {
  const { url } = service;
  const begunMs = Date.now();
  const sessionId = await anAdmin(url).create({ actions: [{ plugin: 'dummy', type: 'host' }] });
  const killed = await killAll(service, fireCase);
  const state = await untilOver(url, sessionId);
  const tookMs = Date.now() - begunMs;
  const outages = await Promise.all(killed.map(toOutage));
  const firstAt = killed[0]!.at;
  await Promise.all(managers.map((manager) => manager.answered()));
  const happened = await readWhatHappened(service, sessionId);
  const taken = managers.flatMap((manager) => manager.taken);
  return {
    state,
    violations: violations(happened, taken),
    longestSilenceMs: longestIdleMs([firstAt, ...happened.progress.filter((time) => time > firstAt)], outages),
    tookMs,
    moves: happened.moves.length,
    replies: taken.length,
    events: happened.events.flatMap(({ recorded }) => recorded).length,
  };
};

const withManagers = async (service: ServiceUnderFire, fireCase: FireCase): Promise<FireOutcome> => {
  const { urls, db } = service;
  await loadFleet(db, parseFleet(fleetUnderFire), { storeConstraints: true });
  const managers = projectIds.map((projectId, index) =>
    startPersistentManager({ url: urls[index % urls.length]!, projectId, actionFor }),
  );
  try {
    return await runSession({ service, managers }, fireCase);
  } finally {
    for (const manager of managers) manager.stop();
  }
};

/** @param options processes and servers beside those that the case needs */
export const runFireCase = (fireCase: FireCase, options: FireOptions = {}): Promise<FireOutcome> => {
  const halting = fireCase.flatMap(({ moment }) => (typeof moment === 'string' ? moment : []));
  const own = fireCase.some(({ victim }) => victim === 'postgres') ? ({ ownServers: 'postgres' } as const) : {};
  return withServiceUnderFire({ moments: halting, ...own, ...options }, (service) => withManagers(service, fireCase));
};
