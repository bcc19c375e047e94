/** How a session is steered, where that keeps it from going on, or leaves hosts out, or cannot be foreseen. */
import type { Waiting } from '../../planning/fleet/fleet';
import type { BlockerFacts } from './blockers';
import type { Blocker, PlannedSteering } from './plan';

export const blockersOfSteering = (facts: BlockerFacts): readonly Blocker[] => [
  ...windowsNotKnown(facts),
  ...pausedBySilence(facts),
  ...hostsThatNeverFit(facts),
  ...pauses(facts),
  ...hostsLeftOut(facts),
  ...refusals(facts),
];

type About = Pick<BlockerFacts, 'input'>;

const sessionSubject = ({ input: { sessionId } }: About): Blocker['subject'] => ({
  ...{ kind: 'session', id: sessionId, name: sessionId },
});

const hostSubject = (name: string): Blocker['subject'] => ({ kind: 'host', id: name, name });

const timeOf = (ms: number): string => new Date(ms).toISOString();

const steeringOf = ({ input: { sessions, sessionId } }: About): PlannedSteering =>
  sessions.find((one) => one.sessionId === sessionId)?.steering ?? {};

const windowsNotKnown = (facts: About): readonly Blocker[] => {
  const { windowsProblem } = steeringOf(facts);
  if (windowsProblem === undefined) return [];
  return [
    {
      ...{ kind: 'window_not_known', severity: 'stops', when: 'now', owner: 'admin', subject: sessionSubject(facts) },
      because: `nothing begins on a worker like this API: ${windowsProblem}; the plan is made as if there were no windows`,
      help: 'change windows by PATCH /v1/maintenance/{session_id}, or update Node.js of workers and API',
    },
  ];
};

const pausedBySilence = ({ ending }: BlockerFacts): readonly Blocker[] => {
  if (ending.kind !== 'paused') return [];
  const { projectId, because } = ending;
  return [
    {
      ...{ kind: 'session_pauses', severity: 'stops', when: 'later', owner: 'project', projectId },
      subject: { kind: 'project', id: projectId, name: projectId },
      because: `the session pauses itself, since ${because} (reply_policy)`,
      help: 'see that the manager of the project answers; or change reply_policy, so that hosts are skipped or the default follows',
    },
  ];
};

const hostsThatNeverFit = ({ ending }: BlockerFacts): readonly Blocker[] => {
  return hostsFittingNowhere(ending).map(({ who, because }) => ({
    ...{ kind: 'window_too_short', severity: 'stops', when: 'later', owner: 'admin', subject: hostSubject(who) },
    because: `host ${who} fits into no maintenance window: ${because}`,
    help: 'make a window longer (PATCH /v1/maintenance/{session_id}), or leave the host out of the session',
  }));
};

const hostsFittingNowhere = (ending: BlockerFacts['ending']): readonly Waiting[] => {
  if (ending.kind === 'neverFits') return ending.held;
  return ending.kind === 'scaleIn' ? ending.fittingNowhere : [];
};

const pauses = (facts: BlockerFacts): readonly Blocker[] =>
  facts.pauses.map(({ atMs, because }) => ({
    ...{ kind: 'session_pauses', severity: 'delays', when: 'later', owner: 'admin', subject: sessionSubject(facts) },
    because: `the session pauses itself at about ${timeOf(atMs)}: ${because}; planned as if it were resumed at once`,
    help: 'POST /v1/maintenance/{session_id}/resume then; or let the canary continue by itself',
  }));

const hostsLeftOut = ({ leftOut }: BlockerFacts): readonly Blocker[] =>
  leftOut.map(({ hostname, as, because, atMs }) => ({
    ...{ kind: `host_${as}`, severity: 'delays', when: 'later', owner: 'admin', subject: hostSubject(hostname) },
    because:
      as === 'skipped'
        ? `host ${hostname} is skipped at about ${timeOf(atMs)}: ${because}`
        : `host ${hostname} is set aside at about ${timeOf(atMs)}, as max_failed_hosts allows: ${because}`,
    help: 'see to what the reason names; then POST /v1/maintenance/{session_id}/hosts/{hostname}/retry takes it up again',
  }));

/** Nothing that was seen tells who will refuse. */
const refusals = (facts: BlockerFacts): readonly Blocker[] => {
  const lastNack = steeringOf(facts).replyPolicy?.lastNack ?? 'fail';
  if (lastNack === 'fail') return [];
  const outcome = lastNack === 'pause' ? 'pauses itself' : 'skips the host';
  return [
    {
      ...{ kind: 'refusals_not_foreseen', severity: 'note', when: 'later', owner: 'admin' },
      subject: sessionSubject(facts),
      because: `the session ${outcome} where a project refuses for the last time (reply_policy); the plan supposes that none does`,
      help: 'ask the projects that may refuse before the session begins',
    },
  ];
};
