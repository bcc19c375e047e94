/** One run: sessions over a fleet while every process of their service is killed once, as a seed says. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { violationsIn } from '../../checker/check-trace';
import { watchMoves } from '../../checker/watch-moves';
import { anAdmin } from '../rig/admin';
import { actionFor, type FaultFleet, fleetFile, impactShare, projectIds } from './fault-fleet';
import type { FaultPlan, PlannedKill } from './fault-plan';
import { type PersistentManager, startPersistentManager } from './persistent-manager';
import { type ServiceUnderFire, withServiceUnderFire } from './service-under-fire';
import { longestIdleMs, type Outage, wentOnAfterMs } from './silence';
import { untilOver } from './until-over';
import { violations } from './violations';
import { readWhatHappened, type WhatHappened } from './what-happened';

export interface SessionUnderFire {
  readonly workflow: FaultPlan['workflow'];
  /** Left out: all hosts. */
  readonly hosts?: readonly string[];
}

export interface FaultRun {
  readonly fleet: FaultFleet;
  /** All at once. */
  readonly sessions: readonly SessionUnderFire[];
  readonly kills: readonly PlannedKill[];
}

export interface FaultOutcome {
  /** The states of the sessions at their ends. */
  readonly states: readonly string[];
  /** Says in words which process was killed when, and how long it was down. */
  readonly kills: readonly string[];
  /** The processes that were killed while a session ran, in this order. */
  readonly killed: readonly string[];
  readonly violations: readonly string[];
  /** The longest time from when a killed process was up again to the next sign of work, later outages left out. */
  readonly slowestMs: number;
  /** The longest time without any sign of work while every process was up. */
  readonly longestIdleMs: number;
  readonly tookMs: number;
  readonly counts: Readonly<Record<'moves' | 'replies' | 'events', number>>;
  /** Processes that ended although nobody killed them. */
  readonly ownEnds: readonly string[];
}

/** Kills one process at a time, the next one when the one before is up again, until the sessions are over. */
const killInTurn = async (
  service: ServiceUnderFire,
  kills: readonly PlannedKill[],
  isOver: () => boolean,
): Promise<readonly Outage[]> => {
  const outages: Outage[] = [];
  for (const { victim, pauseMs } of kills) {
    await pause(pauseMs);
    if (isOver()) break;
    const { at, upAgain } = await service.kill(victim);
    outages.push({ victim, at, until: await upAgain });
  }
  return outages;
};

/** Events tell of work, except while the bus was away: then those that reach it do. */
const signsOfWork = ({ progress, published }: WhatHappened, { victim }: Outage): readonly Date[] =>
  victim === 'kafka' ? published : progress;

const secondsSince = (begun: Date, at: Date): string => ((at.getTime() - begun.getTime()) / 1000).toFixed(1);

const inWords = (
  { victim, at, until }: Outage,
  { begun, wentOnMs }: { readonly begun: Date; readonly wentOnMs: number },
): string =>
  `${victim} at ${secondsSince(begun, at)} s, away ${secondsSince(at, until)} s, at work ${wentOnMs / 1000} s later`;

interface Running extends Pick<FaultRun, 'sessions' | 'kills'> {
  readonly service: ServiceUnderFire;
  readonly managers: readonly PersistentManager[];
}

const runSessions = async ({ service, managers, sessions, kills }: Running): Promise<FaultOutcome> => {
  const { url, db } = service;
  const trace = await watchMoves(db, sessions.some(({ workflow }) => workflow === 'vnf') ? { impactShare } : {});
  const begun = new Date();
  const actions = [{ plugin: 'dummy', type: 'host' }];
  const sessionIds: string[] = [];
  for (const session of sessions) sessionIds.push(await anAdmin(url).create({ ...session, actions }));
  let over = false;
  const killing = killInTurn(service, kills, () => over);
  const ends = Promise.all(sessionIds.map((sessionId) => untilOver(url, sessionId)));
  const states = await ends.finally(() => (over = true));
  const tookMs = Date.now() - begun.getTime();
  const outages = await killing;
  await Promise.all(managers.map((manager) => manager.answered()));
  const happened = await readWhatHappened(service, ...sessionIds);
  const taken = managers.flatMap((manager) => manager.taken);
  const wentOn = outages.map((outage) => wentOnAfterMs(signsOfWork(happened, outage), outage, outages));
  return {
    states,
    killed: outages.map(({ victim }) => victim),
    kills: outages.map((outage, index) => inWords(outage, { begun, wentOnMs: wentOn[index] ?? 0 })),
    violations: [
      ...violationsIn(await trace.read()).map(({ rule, what }) => `${rule}: ${what}`),
      ...violations(happened, taken),
    ],
    slowestMs: Math.max(0, ...wentOn),
    longestIdleMs: longestIdleMs(happened.progress, outages),
    tookMs,
    counts: {
      moves: happened.moves.length,
      replies: taken.length,
      events: happened.events.flatMap(({ recorded }) => recorded).length,
    },
    ownEnds: service.ownEnds(),
  };
};

export const runFaults = ({ fleet, ...run }: FaultRun): Promise<FaultOutcome> =>
  withServiceUnderFire({ ownServers: 'all' }, async (service) => {
    const { url, db } = service;
    await loadFleet(db, parseFleet(fleetFile(fleet)), { storeConstraints: true });
    const managers = projectIds.map((projectId) => startPersistentManager({ url, projectId, actionFor }));
    try {
      return await runSessions({ service, managers, ...run });
    } finally {
      for (const manager of managers) manager.stop();
    }
  });
