/** Divides a host's time in a session: being drained, waiting for the maintenance to begin, being maintained. */
import type { SessionCourse } from '../../prisma/session/session-trace';

/** The times of a host, in milliseconds. */
export interface HostPhases {
  /** The time from the start of the drain until the last instance has left. */
  readonly emptyingMs: number;
  /** The time from then until IN_MAINTENANCE is recorded. */
  readonly noticingMs: number;
  /** The time from then until it is maintained and enabled. */
  readonly maintainingMs: number;
}

/** Tells the phases of the hosts that were maintained, in the order of their names. */
export const hostPhasesOf = ({ hosts, moves, notices }: SessionCourse): HostPhases[] =>
  hosts.flatMap(({ hostname, drainStartedAt }) => {
    const noticeAt = (state: string) =>
      notices.find((notice) => notice.host === hostname && notice.state === state)?.at;
    const [begun, done] = [noticeAt('IN_MAINTENANCE'), noticeAt('MAINTENANCE_COMPLETE')];
    if (drainStartedAt === null || begun === undefined || done === undefined) return [];
    const left = moves.filter(({ source }) => source === hostname).flatMap(({ endedAt }) => endedAt?.getTime() ?? []);
    const emptyMs = Math.max(drainStartedAt.getTime(), ...left);
    return [
      {
        emptyingMs: emptyMs - drainStartedAt.getTime(),
        noticingMs: begun.getTime() - emptyMs,
        maintainingMs: done.getTime() - begun.getTime(),
      },
    ];
  });
