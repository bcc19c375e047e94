/** How a session is steered, where that keeps it from going on, or leaves hosts out, or cannot be foreseen. */
import { expectedTimes } from '../../expectations/expected-times';
import type { Waiting } from '../../obstacles/waits';
import { FleetModel } from '../../planning/model/fleet-model';
import { hostsTriedAgain, minutes } from '../../steering/work-in-window';
import type { BlockerFacts } from './blocker-facts';
import { openTimesAt } from './opening-times';
import type { Blocker, PlannedSteering } from './plan';

export const blockersOfSteering = (facts: BlockerFacts): readonly Blocker[] => [
  ...windowsNotKnown(facts),
  ...pausedBySilence(facts),
  ...hostsThatNeverFit(facts),
  ...hostsToTryAgain(facts),
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
  if (ending.kind !== 'scaleIn') return [];
  return ending.fittingNowhere.filter(({ remainingMs }) => remainingMs === undefined);
};

const hostsToTryAgain = (facts: BlockerFacts): readonly Blocker[] => {
  const { input, fleet, beginsAtMs } = facts;
  const { nowMs, sessionId, sessions, replySeconds, seen, usual } = input;
  const { windows } = steeringOf(facts);
  if (windows === undefined) return [];
  const { longestSeconds } = openTimesAt(windows, nowMs);
  const model = new FleetModel(fleet, nowMs);
  const { begunAtMs = beginsAtMs } = sessions.find((one) => one.sessionId === sessionId) ?? {};
  const tried = hostsTriedAgain({
    ...{ model, own: model.hostsOf(sessionId), nowMs, begunAtMs, replySeconds, expected: expectedTimes(seen, usual) },
    times: longestSeconds === undefined ? {} : { longestSeconds },
  });
  return tried.map(({ name, fromMs, learnedSeconds, usualSeconds }) => ({
    ...{ kind: 'window_too_short', severity: 'delays', when: 'now', owner: 'admin', subject: hostSubject(name) },
    because:
      `host ${name} fits into no maintenance window: its maintenance is expected to take ${minutes(learnedSeconds)} minutes, as was seen before. ` +
      `It waits, and is tried again with the usual ${minutes(usualSeconds)} minutes in the first window from ${timeOf(Math.max(fromMs, nowMs))} on, one such host at a time; if it takes as long again, it is back only after its window`,
    help: 'make a window longer (PATCH /v1/maintenance/{session_id}), or leave the host out of the session',
  }));
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
