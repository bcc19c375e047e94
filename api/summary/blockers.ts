/** The blockers of a session that its records tell now; a plan also finds those that are still to come. */
import type { HostRecord } from '../../prisma/session/session-detail';
import { isToBeAborted } from '../../prisma/session/session-progress';
import { hostsWithoutPlugin } from '../../rules/expectations/plugins-of-host';
import { nothingMaintained } from '../../rules/obstacles/nothing-maintained';
import { forPeople } from '../../rules/words/names';
import type { StandingBlockerBody } from '../schemas/summary-schemas';
import type { SummaryFacts } from './summary-facts';

const hostsShown = 20;

export const standingBlockers = (facts: SummaryFacts): StandingBlockerBody[] => [
  ...ofSession(facts),
  ...ofHosts(facts),
  ...ofGuests(facts),
  ...ofDownloads(facts),
  ...ofDeadline(facts),
  ...ofActions(facts),
];

const ofSession = ({ session, detail }: SummaryFacts): StandingBlockerBody[] => {
  const { id, state, failure, pausedAt, pausedBecause } = session;
  const about = { severity: 'stops', subject_kind: 'session', subject: id, owner: 'admin' } as const;
  if (isToBeAborted(session)) {
    const because = 'the session is being aborted or deleted';
    const help = 'nothing has to be done: it ends when nothing is in flight any more';
    return [{ kind: 'session_ending', ...about, owner: 'service', because, help }];
  }
  if (state === 'MAINTENANCE_FAILED' && !detail.session.resuming) {
    const because = forPeople(failure ?? 'the session has failed', detail.projectNames);
    return [{ kind: 'session_failed', ...about, because, help: 'repair the cause, then continue the session' }];
  }
  if (pausedAt === null) return [];
  const because = pausedBecause ?? `an admin has paused it at ${pausedAt.toISOString()}`;
  return [{ kind: 'session_paused', ...about, because, help: 'resume the session' }];
};

/** A skipped host need not be broken: an admin left it out, or its project did not agree. */
const helpOf = (phase: HostRecord['phase'], state: string): string => {
  const cause = phase === 'skipped' ? 'see to the reason' : 'repair it';
  if (state === 'MAINTENANCE_FAILED' && phase === 'failed') {
    return 'repair it and continue the session, which then works on the host again';
  }
  const elsewhere = `${cause} and maintain the host in another session`;
  if (state === 'MAINTENANCE_DONE') return `${elsewhere}; this one is over without it`;
  // The session takes no host up again any more.
  if (state === 'MAINTENANCE_COMPLETE') return `${elsewhere}; this one has ended its work on hosts`;
  return `${cause} and retry the host; the session goes on without it`;
};

const ofHosts = ({ detail, session }: SummaryFacts): StandingBlockerBody[] =>
  detail.hosts
    .filter(isInTheWay)
    .slice(0, hostsShown)
    .map(({ hostname, phase, failure, details }) => ({
      kind: phase === 'skipped' ? 'host_left_out' : 'host_failed',
      severity: phase === 'failed' ? 'delays' : 'note',
      subject_kind: 'host',
      subject: hostname,
      owner: 'operator',
      because: forPeople(failure ?? details, detail.projectNames),
      help: helpOf(phase, session.state),
    }));

/** An instance came to a host that failed: no work is done there that would move it. */
const ofGuests = ({ detail }: SummaryFacts): StandingBlockerBody[] =>
  detail.hosts
    .filter(({ phase, findings }) => (phase === 'failed' || phase === 'set_aside') && findings !== null)
    .slice(0, hostsShown)
    .flatMap(({ hostname, findings }) => {
      const names = (findings?.guests ?? []).map(({ instanceName, instanceId }) => `${instanceName} (${instanceId})`);
      if (names.length === 0) return [];
      return [
        {
          ...{ kind: 'host_occupied', severity: 'note', subject_kind: 'host', subject: hostname, owner: 'operator' },
          because: `host ${hostname} failed and is out of use, and ${names.join(', ')} came to it`,
          help: 'move what is on it away, or retry the host, which drains it',
        } as const,
      ];
    });

const isInTheWay = ({ phase }: HostRecord): boolean => ['failed', 'set_aside', 'skipped'].includes(phase);

const ofDownloads = ({ session, detail }: SummaryFacts): StandingBlockerBody[] =>
  detail.downloads.flatMap(({ state, problem }): StandingBlockerBody[] =>
    problem === null || state === 'done'
      ? []
      : [
          {
            ...{ kind: 'download_failing', severity: 'delays', subject_kind: 'session', subject: session.id },
            ...{ owner: 'operator', because: problem, help: 'it is tried again by itself; repair its source' },
          },
        ],
  );

const ofActions = ({ session, detail }: SummaryFacts): StandingBlockerBody[] => {
  const { hosts } = detail;
  const without = hostsWithoutPlugin(session.actions, hosts);
  const words = nothingMaintained({ hostCount: hosts.length, without, isCreated: true });
  if (words === undefined) return [];
  const about = { severity: 'note', subject_kind: 'session', subject: session.id, owner: 'admin' } as const;
  return [{ kind: 'nothing_maintained', ...about, ...words }];
};

const ofDeadline = ({ session, now }: SummaryFacts): StandingBlockerBody[] => {
  const { deadline, deadlineMissed, id } = session;
  if (deadline === null || deadlineMissed === null) return [];
  const because =
    deadline > now
      ? `it is not expected to be over at its deadline ${deadline.toISOString()}`
      : `its deadline ${deadline.toISOString()} has passed`;
  const help = 'skip hosts, raise max_parallel_hosts where it is given, or move the deadline';
  return [
    {
      kind: 'deadline_missed',
      severity: 'delays',
      subject_kind: 'session',
      subject: id,
      owner: 'admin',
      because,
      help,
    },
  ];
};
