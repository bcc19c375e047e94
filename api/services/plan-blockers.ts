/**
 * The blockers of a session that its records tell: other sessions, its pause or failure, open questions. Those that the
 * fleet tells, or the session meets in virtual time, are in rules/simulation/plan/blockers.ts.
 */
import type { Database } from '../../prisma/database';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findQuestions } from '../../prisma/questions/question-rounds';
import { isToBeAborted, type SessionProgress } from '../../prisma/session/session-progress';
import { hostsWithoutPlugin } from '../../rules/expectations/plugins-of-host';
import { type HostsWithoutAction, nothingMaintained } from '../../rules/obstacles/nothing-maintained';
import type { Blocker } from '../../rules/simulation/plan/plan';
import type { CreateSessionBody } from '../schemas/session-schemas';
import type { CheckedRequest } from './check-request';
import type { PlanFacts } from './plan-facts';

export interface RequestFacts {
  readonly body: CreateSessionBody;
  readonly checked: CheckedRequest;
  readonly facts: PlanFacts;
  readonly maxSessions: number;
  /** Workflows, by name. */
  readonly known: ReadonlyMap<string, unknown>;
}

const now = { when: 'now', owner: 'admin' } as const;

export const blockersOfRequest = (request: RequestFacts): readonly Blocker[] => [
  ...tooManySessions(request),
  ...hostsOfOthers(request),
  ...workflowNotKnown(request),
  ...hostsWithoutAction(request.body.workflow, ofRequest(request)),
];

const tooManySessions = ({ facts, maxSessions }: RequestFacts): readonly Blocker[] => {
  const count = facts.unfinished.length;
  if (count < maxSessions) return [];
  return [
    {
      ...{ kind: 'too_many_sessions', severity: 'stops', ...now, subject: { kind: 'cloud', id: '', name: 'sessions' } },
      because: `${count} sessions are unfinished, and at most ${maxSessions} may be`,
      help: 'wait for one of them to end, or delete one that has failed; or raise PARLEY_MAX_SESSIONS',
    },
  ];
};

const hostsOfOthers = ({ checked, facts }: RequestFacts): readonly Blocker[] => {
  const ownerOf = new Map(facts.facts.hosts.map(({ hostname, sessionId }) => [hostname, sessionId]));
  return checked.hosts.flatMap(({ hostname }): Blocker[] => {
    const sessionId = ownerOf.get(hostname);
    if (sessionId === undefined) return [];
    return [
      {
        ...{ kind: 'host_of_another_session', severity: 'stops', ...now },
        subject: { kind: 'host', id: hostname, name: hostname },
        because: `host ${hostname} belongs to session ${sessionId}, which is not finished; the plan leaves it out`,
        help: 'wait for that session to end or delete it, or leave the host out',
      },
    ];
  });
};

const workflowNotKnown = ({ body, known }: RequestFacts): readonly Blocker[] => {
  if (known.has(body.workflow)) return [];
  return [
    {
      ...{ kind: 'workflow_not_known', severity: 'note', ...now },
      subject: { kind: 'session', id: body.workflow, name: body.workflow },
      because: `workflow ${body.workflow} comes with the packages, so the plan supposes that it works as default does`,
      help: 'create the session to have its packages looked at',
    },
  ];
};

const ofRequest = ({ checked: { actions, hosts } }: RequestFacts): HostsWithoutAction => ({
  ...{ hostCount: hosts.length, without: hostsWithoutPlugin(actions, hosts), isCreated: false },
});

/** @param id of the session, or the workflow of one that is not there yet */
const hostsWithoutAction = (id: string, hosts: HostsWithoutAction): readonly Blocker[] => {
  const words = nothingMaintained(hosts);
  if (words === undefined) return [];
  return [
    { kind: 'nothing_maintained', severity: 'note', ...now, subject: { kind: 'session', id, name: id }, ...words },
  ];
};

export const blockersOfSession = async (
  db: Database,
  session: SessionProgress,
  own: readonly SessionHostRecord[],
): Promise<readonly Blocker[]> => [
  ...standing(session),
  ...hostsWithoutAction(session.id, {
    ...{ hostCount: own.length, without: hostsWithoutPlugin(session.actions, own), isCreated: true },
  }),
  ...(await answersAwaited(db, session)),
];

const standing = (session: SessionProgress): readonly Blocker[] => {
  const { id, state, failure, pausedAt, pausedBecause } = session;
  const about = { ...now, severity: 'stops', subject: { kind: 'session', id, name: id } } as const;
  if (isToBeAborted(session)) {
    const help = 'nothing has to be done: it ends when nothing is in flight any more';
    return [{ kind: 'session_ending', ...about, because: 'the session is being aborted or deleted', help }];
  }
  if (state === 'MAINTENANCE_FAILED') {
    const help =
      'repair the cause and continue the session (PUT /v1/maintenance/{session_id}); planned as if it were now';
    return [{ kind: 'session_failed', ...about, because: failure ?? 'the session has failed', help }];
  }
  if (pausedAt === null) return [];
  const help = 'POST /v1/maintenance/{session_id}/resume; planned as if it were now';
  const at = pausedAt.toISOString();
  const because = pausedBecause
    ? `the session paused itself at ${at}: ${pausedBecause}`
    : `an admin paused the session at ${at}`;
  return [{ kind: 'session_paused', ...about, because, help }];
};

const answersAwaited = async (db: Database, { id }: SessionProgress): Promise<readonly Blocker[]> => {
  const open = (await findQuestions(db, { sessionId: id })).filter(({ status }) => status === 'open');
  return open.map(({ projectId, instanceId, state, replyAtMs }) => ({
    ...{ kind: 'answer_awaited', severity: 'delays', when: 'now', owner: 'project', projectId },
    subject: instanceId
      ? { kind: 'instance', id: instanceId, name: instanceId }
      : { kind: 'project', id: projectId, name: projectId },
    because:
      `project ${projectId} has not answered ${state} yet` +
      (replyAtMs === undefined ? '' : `; its window ends at ${new Date(replyAtMs).toISOString()}`),
    help: 'nothing has to be done: without an answer the default follows; an answer of its manager comes sooner',
  }));
};
