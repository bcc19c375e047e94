/** How far a session is: what the list and one look at a session have in common. */
import type { HostInList, SessionInList } from '../../prisma/session/session-list';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { hostPhases } from '../../rules/decisions/fleet/fleet';
import { isWindowOpen } from '../../rules/maintenance-windows/is-window-open';
import { percentDone } from '../../rules/words/percent-done';
import type { SessionProgressBody } from '../schemas/summary-schemas';
import { secondsUntil } from '../showing/seconds-until';
import { endBy, type EndForecast, withoutEnd } from './expected-end';

export interface ProgressFacts extends SessionInList {
  /** Needed where `mayEnd`. */
  readonly forecast: EndForecast | undefined;
  readonly now: Date;
}

export const progressOf = ({ session, hosts, forecast, now }: ProgressFacts): SessionProgressBody => {
  const progress = progressStateOf(session, now);
  const maintained = hosts.filter(({ phase }) => phase === 'maintained').length;
  const end = forecast && mayEnd(session) ? endBy(forecast, { session, hosts, now }) : withoutEnd;
  return {
    session_id: session.id,
    name: session.name,
    workflow: session.workflow,
    state: session.state,
    progress,
    percent_done: percentDone({ maintained, total: hosts.length }),
    host_count: hosts.length,
    hosts_by_phase: countPhases(hosts),
    created_at: session.createdAt.toISOString(),
    maintenance_at: session.maintenanceAt.toISOString(),
    start_seconds_left: session.begunAt === null ? secondsUntil(session.maintenanceAt, now) : null,
    begun_at: session.begunAt?.toISOString() ?? null,
    ended_at: endedAt(session)?.toISOString() ?? null,
    ...endingTimes(session),
    ...end,
  };
};

const endingTimes = ({ pausedAt, archivedAt }: SessionProgress) => ({
  archived_at: archivedAt?.toISOString() ?? null,
  paused_at: pausedAt?.toISOString() ?? null,
});

/** False for a session that is over, paused, failed or being ended: nobody knows when it ends. */
export const mayEnd = (session: SessionProgress): boolean =>
  !isOver(session) &&
  [session.pausedAt, session.stopping, session.abortRequestedAt, session.deleteRequestedAt].every(
    (one) => one === null,
  );

const isOver = ({ state }: SessionProgress): boolean => state === 'MAINTENANCE_DONE' || state === 'MAINTENANCE_FAILED';

/** A failed session that is continued goes on. */
const endedAt = (session: SessionProgress): Date | null =>
  isOver(session) && session.continueRequestId === null ? session.stateEnteredAt : null;

const countPhases = (hosts: readonly HostInList[]): Record<string, number> => {
  const counts = Object.fromEntries(hostPhases.map((phase) => [phase, 0]));
  for (const { phase } of hosts) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
};

export const progressStateOf = (session: SessionProgress, now: Date): SessionProgressBody['progress'] => {
  if (session.deleteRequestedAt !== null) return 'deleting';
  if (session.state === 'MAINTENANCE_DONE') return 'done';
  if (session.state === 'MAINTENANCE_FAILED') return progressAfterFailure(session);
  if (session.abortRequestedAt !== null) return 'aborting';
  if (session.stopping !== null) return 'failing';
  return session.pausedAt === null ? progressAt(session, now) : 'paused';
};

const progressAfterFailure = ({ continueRequestId, abortRequestedAt }: SessionProgress) => {
  if (continueRequestId !== null) return 'running';
  return abortRequestedAt === null ? 'failed' : 'aborted';
};

const progressAt = (session: SessionProgress, now: Date): SessionProgressBody['progress'] => {
  if (session.begunAt === null && session.maintenanceAt > now) return 'scheduled';
  return isWindowOpen(session, now) ? 'running' : 'closed';
};
