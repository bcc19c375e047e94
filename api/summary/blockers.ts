/** The blockers of a session that its records tell now; a plan also finds those that are still to come. */
import type { HostRecord } from '../../prisma/session/session-detail';
import { type Blocker, blocker, kindOfLeftBehind } from '../../rules/obstacles/blockers';
import { courseOf } from '../../rules/obstacles/course';
import { hostsWithoutAction, standingBlockers } from '../services/standing-blockers';
import { progressStateOf } from './progress';
import type { SummaryFacts } from './summary-facts';

const hostsShown = 20;

export const blockersNow = (facts: SummaryFacts): readonly Blocker[] => {
  const { session, detail } = facts;
  const { id: sessionId, actions } = session;
  return [
    ...(detail.session.resuming && session.state === 'MAINTENANCE_FAILED'
      ? []
      : standingBlockers(session, { isPlanned: false, hosts: detail.hosts })),
    ...ofHosts(facts),
    ...ofGuests(facts),
    ...ofDownloads(facts),
    ...ofDeadline(facts),
    ...hostsWithoutAction({ sessionId, actions, hosts: detail.hosts, isCreated: true }),
  ];
};

const ofHosts = ({ detail, session, now }: SummaryFacts): readonly Blocker[] => {
  const course = courseOf({ progress: progressStateOf(session, now), state: session.state });
  return detail.hosts
    .flatMap((host) => {
      const { hostname, phase } = host;
      const kind = kindOfLeftBehind(phase);
      if (kind === undefined || (phase === 'failed' && isToldBy(session, host))) return [];
      return [blocker(kind, { hostname, phase, course, why: whyLeftBehind(session, host) })];
    })
    .slice(0, hostsShown);
};

/** The failure of the session tells that of the host. */
const isToldBy = ({ failure: told }: SummaryFacts['session'], { failure }: HostRecord): boolean =>
  failure !== null && told?.includes(failure) === true;

const whyLeftBehind = (session: SummaryFacts['session'], host: HostRecord): string =>
  isToldBy(session, host) ? `host ${host.hostname} is set aside` : (host.failure ?? host.details);

const ofGuests = ({ detail }: SummaryFacts): readonly Blocker[] =>
  detail.hosts
    .filter(({ phase, findings }) => (phase === 'failed' || phase === 'set_aside') && findings !== null)
    .slice(0, hostsShown)
    .flatMap(({ hostname, findings }) => {
      const guests = (findings?.guests ?? []).map(({ instanceName, instanceId }) => `${instanceName} (${instanceId})`);
      return guests.length === 0 ? [] : [blocker('host_occupied', { hostname, guests })];
    });

const ofDownloads = ({ session: { id: sessionId }, detail }: SummaryFacts): readonly Blocker[] =>
  detail.downloads.flatMap(({ state, problem }) =>
    problem === null || state === 'done' ? [] : [blocker('download_failing', { sessionId, problem })],
  );

const ofDeadline = ({ session, now }: SummaryFacts): readonly Blocker[] => {
  const { deadline, deadlineMissed, id: sessionId } = session;
  if (deadline === null || deadlineMissed === null) return [];
  const about = { sessionId, severity: 'delays', deadlineMs: deadline.getTime(), endMs: undefined } as const;
  return [blocker('deadline_missed', { ...about, isPassed: deadline <= now })];
};
