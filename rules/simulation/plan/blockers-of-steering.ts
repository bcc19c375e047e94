/** How a session is steered, where that keeps it from going on, or leaves hosts out, or cannot be foreseen. */
import { keyOf } from '../../cloud/id';
import { FleetModel } from '../../decisions/model/fleet-model';
import { expectedTimes } from '../../expectations/expected-times';
import { freezesBetween } from '../../maintenance-windows/freezes-between';
import { freezeNamesIn } from '../../maintenance-windows/session-calendar';
import { type Blocker, blocker } from '../../obstacles/blockers';
import type { Reason } from '../../reasons/reason';
import { hostsTriedAgain, triedAgainWords } from '../../steering/work-in-maintenance-window';
import { failureOn } from '../../words/failure-of-host';
import type { BlockerFacts } from './blocker-facts';
import { openTimesAt } from './opening-times';
import type { PlannedSteering } from './plan';

export const blockersOfSteering = (facts: BlockerFacts): readonly Blocker[] => {
  const { ending, input, leftOut, pauses } = facts;
  const { nowMs, sessionId } = input;
  const { windowsProblem: problem, replyPolicy } = steeringOf(facts);
  const { lastNack = 'fail' } = replyPolicy ?? {};
  return [
    ...(problem === undefined ? [] : [blocker('window_not_known', { sessionId, problem })]),
    ...(ending.kind === 'paused' ? [blocker('session_pauses', { sessionId, ...ending, why: ending.because })] : []),
    ...freezesInTheWay(facts),
    ...(ending.kind === 'windowsOver' ? [blocker('windows_over', { sessionId, freezes: freezesOf(facts) })] : []),
    ...hostsFittingNowhere(ending).map(({ who: hostname, because: why = '' }) =>
      blocker('window_too_short', { hostname, severity: 'stops', why }),
    ),
    ...hostsToTryAgain(facts).map(({ name: hostname, ...again }) => {
      const why = `${triedAgainWords(again, nowMs)}; if it takes as long again, it is back only after its window`;
      return blocker('window_too_short', { hostname, severity: 'delays', why });
    }),
    ...pauses.map(({ atMs, because: why }) => blocker('session_pauses', { sessionId, atMs, why })),
    ...leftOut.map(({ hostname, as, because, atMs }) =>
      blocker(`host_${as}`, { hostname, why: failureOn(hostname, because), atMs }),
    ),
    ...(lastNack === 'fail' ? [] : [blocker('refusals_not_foreseen', { sessionId, lastNack })]),
    ...refusedBefore(facts),
  ];
};

/** Of the projects with instances on the session's hosts. */
const refusedBefore = (facts: BlockerFacts): readonly Blocker[] => {
  const { fleet, input } = facts;
  const { lastNack = 'fail' } = steeringOf(facts);
  const own = new Set(fleet.hosts.filter(({ work }) => work?.sessionId === input.sessionId).map(({ name }) => name));
  const there = new Set(fleet.instances.filter(({ host }) => own.has(host)).map(({ projectId }) => keyOf(projectId)));
  return (input.refusedBefore ?? [])
    .filter((projectId) => there.has(keyOf(projectId)))
    .map((projectId) => blocker('refused_before', { projectId, lastNack }));
};

const steeringOf = ({ input: { sessions, sessionId } }: Pick<BlockerFacts, 'input'>): PlannedSteering =>
  sessions.find((one) => one.sessionId === sessionId)?.steering ?? {};

/** Farther ahead nobody foresees anything. */
const mostAheadMs = 400 * 86_400_000;

const freezesInTheWay = (facts: BlockerFacts): readonly Blocker[] => {
  const { nowMs, sessionId, sessions } = facts.input;
  const session = sessions.find((one) => one.sessionId === sessionId);
  if (session?.steering?.calendar === undefined) return [];
  const fromMs = session.isBegun ? nowMs : Math.max(nowMs, session.maintenanceAtMs);
  const toMs = Math.min(facts.endsAtMs, fromMs + mostAheadMs);
  return freezesBetween(session.steering.calendar, { fromMs, toMs }).map(({ by: freeze, ...frozen }) =>
    blocker('session_frozen', { sessionId, nowMs, freeze, fromMs: frozen.fromMs, untilMs: frozen.toMs }),
  );
};

const freezesOf = (facts: BlockerFacts): string => {
  const { calendar } = steeringOf(facts);
  return calendar === undefined ? '' : freezeNamesIn(calendar);
};

const hostsFittingNowhere = (ending: BlockerFacts['ending']): readonly Reason[] => {
  if (ending.kind === 'neverFits') return ending.held;
  if (ending.kind !== 'scaleIn') return [];
  return ending.fittingNowhere.filter(({ waitingFor, untilMs }) => waitingFor === 'window' && untilMs === undefined);
};

const hostsToTryAgain = (facts: BlockerFacts): ReturnType<typeof hostsTriedAgain> => {
  const { input, fleet, beginsAtMs } = facts;
  const { nowMs, sessionId, sessions, replySeconds, seen, usual } = input;
  const { calendar } = steeringOf(facts);
  if (calendar === undefined) return [];
  const { longestSeconds } = openTimesAt(calendar, nowMs);
  const model = new FleetModel(fleet, nowMs);
  const { begunAtMs = beginsAtMs } = sessions.find((one) => one.sessionId === sessionId) ?? {};
  return hostsTriedAgain({
    model,
    own: model.hostsOf(sessionId),
    nowMs,
    begunAtMs,
    replySeconds,
    expected: expectedTimes(seen, usual),
    times: longestSeconds === undefined ? {} : { longestSeconds },
  });
};
