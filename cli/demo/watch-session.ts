/** Shows a session until it is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionDetailBody } from '../../api/schemas/session-schemas';
import { tableLines } from '../text-table';
import type { AdminClient } from './admin-client';
import type { Managers } from './managers';
import { changesBetween, type HostProgress, type Progress, progressToShow } from './progress';
import type { Screen } from './screen';

export interface WatchedDemo {
  readonly sessionId: string;
  readonly admin: AdminClient;
  readonly managers: Managers;
  readonly screen: Screen;
  /** The time after which the demo stops watching. */
  readonly signal: AbortSignal;
}

const pollMs = 400;
const patienceMs = 10 * 60_000;
const newsShown = 4;

const row = ({ name, phase, instances, waitsFor }: HostProgress): string[] => [
  `  ${name}`,
  phase,
  instances === 0 ? '-' : String(instances),
  waitsFor,
];

const pictureOf = ({ state, percentDone, hosts }: Progress, news: readonly string[]): string[] => [
  '',
  `  ${state}   ${String(percentDone)} %`,
  '',
  ...tableLines([['  HOST', 'PHASE', 'INSTANCES', 'WAITS FOR'], ...hosts.map(row)]),
  '',
  ...news.slice(-newsShown).map((line) => `  ${line}`),
];

const seconds = (sinceMs: number): string => ((Date.now() - sinceMs) / 1000).toFixed(1).padStart(6);

/**
 * Shows the session until it is done.
 * @returns its last detail
 * @throws Error with the reason, when the session fails or does not end in time
 */
export const watchSession = async (watching: WatchedDemo): Promise<SessionDetailBody> => {
  const { sessionId, admin, managers, screen, signal } = watching;
  const startedMs = Date.now();
  const news: string[] = [];
  let before: Progress | undefined;
  while (Date.now() - startedMs < patienceMs) {
    signal.throwIfAborted();
    const detail = await admin.detailOf(sessionId);
    const progress = progressToShow(detail);
    const fresh = [...managers.news(), ...changesBetween(before, progress)];
    before = progress;
    if (!screen.isTerminal) for (const line of fresh) screen.line(`${seconds(startedMs)} s  ${line}`);
    news.push(...fresh);
    screen.picture(pictureOf(progress, news));
    if (detail.state === 'MAINTENANCE_DONE') return detail;
    if (detail.state === 'MAINTENANCE_FAILED') throw new Error(`the session failed: ${detail.session.failure ?? ''}`);
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
  throw new Error(`the session was not over after ${String(patienceMs / 60_000)} minutes`);
};
