/** One case: a session on a service of its own, of which one process is killed at one moment. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';
import { actionFor, fleetUnderFire, projectIds } from './fleet-under-fire';
import { goOn, type Moment, momentReached } from './moments';
import { type PersistentManager, startPersistentManager } from './persistent-manager';
import { type ServiceUnderFire, type Victim, withServiceUnderFire } from './service-under-fire';
import { longestIdleMs } from './silence';
import { untilOver } from './until-over';
import { violations } from './violations';
import { readWhatHappened } from './what-happened';

export interface FireCase {
  readonly victim: Victim;
  /** When: a named moment, or a time after that many events. */
  readonly moment: Moment | RandomMoment;
}

export interface RandomMoment {
  readonly events: number;
  readonly afterMs: number;
}

export interface FireOutcome {
  readonly state: string;
  readonly violations: readonly string[];
  /** The longest time without any sign of work after the kill, the time in which the victim was away included. */
  readonly longestSilenceMs: number;
  /** From the session's creation to its end. */
  readonly tookMs: number;
  readonly moves: number;
  readonly replies: number;
  readonly events: number;
}

const untilMoment = async ({ folder, db }: ServiceUnderFire, moment: FireCase['moment']): Promise<void> => {
  if (typeof moment === 'string') {
    await momentReached(folder);
    return;
  }
  const { events, afterMs } = moment;
  await eventually(`${events} events are recorded`, async () =>
    (await db.event.count()) >= events ? true : undefined,
  );
  await pause(afterMs);
};

interface Session {
  readonly service: ServiceUnderFire;
  readonly managers: readonly PersistentManager[];
}

const runSession = async ({ service, managers }: Session, { victim, moment }: FireCase): Promise<FireOutcome> => {
  const { url, folder } = service;
  const begunMs = Date.now();
  const sessionId = await anAdmin(url).create({ actions: [{ plugin: 'dummy', type: 'host' }] });
  await untilMoment(service, moment);
  const { at: killedAt } = await service.kill(victim);
  await goOn(folder);
  const state = await untilOver(url, sessionId);
  const tookMs = Date.now() - begunMs;
  const happened = await readWhatHappened(service, sessionId);
  const taken = managers.flatMap((manager) => manager.taken);
  return {
    state,
    violations: violations(happened, taken),
    longestSilenceMs: longestIdleMs([killedAt, ...happened.progress.filter((time) => time > killedAt)], []),
    tookMs,
    moves: happened.moves.length,
    replies: taken.length,
    events: happened.events.flatMap(({ recorded }) => recorded).length,
  };
};

const withManagers = async (service: ServiceUnderFire, fireCase: FireCase): Promise<FireOutcome> => {
  const { url, db } = service;
  await loadFleet(db, parseFleet(fleetUnderFire), { storeConstraints: true });
  const managers = projectIds.map((projectId) => startPersistentManager({ url, projectId, actionFor }));
  try {
    return await runSession({ service, managers }, fireCase);
  } finally {
    for (const manager of managers) manager.stop();
  }
};

export const runFireCase = (fireCase: FireCase): Promise<FireOutcome> => {
  const { victim, moment } = fireCase;
  const halting = typeof moment === 'string' ? moment : undefined;
  const own = victim === 'postgres' ? { ownServers: victim } : {};
  return withServiceUnderFire({ moment: halting, ...own }, (service) => withManagers(service, fireCase));
};
