/** What helps a host that has failed, was set aside or was skipped: only what the API does not refuse just then. */
import type { CourseOfSession } from './course';

export interface LeftBehind {
  readonly phase: string;
  readonly course: CourseOfSession;
}

const retry = 'retry the host (parley hosts retry)';
const elsewhere = 'maintain the host in another session';

/** Follows the cause. */
const helps: Readonly<Record<CourseOfSession, string>> = {
  going: `and ${retry}; the session goes on without it`,
  continuing: `and ${retry}, once the session runs again`,
  failing: `and, once the session has failed, ${retry} and continue the session`,
  aborting: `and, once the session is aborted, ${retry} and continue the session`,
  failed: `and ${retry}, then continue the session`,
  aborted: `and ${retry}, then continue the session`,
  ended: `and ${elsewhere}; this one has ended its work on hosts`,
  deleting: `and ${elsewhere}; this one is being deleted`,
  done: `and ${elsewhere}; this one is over without it`,
};

/** A session that continues works again on a host that has failed. */
const helpsFailed: Readonly<Record<CourseOfSession, string>> = {
  ...helps,
  continuing: 'before the session works on it again',
  failing: 'and, once the session has failed, continue the session, which then works on the host again',
  aborting: 'and, once the session is aborted, continue the session, which then works on the host again',
  failed: 'and continue the session, which then works on the host again',
  aborted: 'and continue the session, which then works on the host again',
};

export const helpForLeftBehind = ({ phase, course }: LeftBehind): string => {
  if (phase === 'failed') return `repair it ${helpsFailed[course]}`;
  // A skipped host need not be broken: an admin left it out, or its project did not agree.
  return `${phase === 'skipped' ? 'see to the reason' : 'repair it'} ${helps[course]}`;
};
