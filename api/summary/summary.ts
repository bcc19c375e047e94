/** One look at a session: its progress, waits and their causes, blockers, its end, and the possible requests. */
import type { SessionProgress } from '../../prisma/session/session-progress';
import { isBoundToTimes, isWindowOpen } from '../../rules/maintenance-windows/is-window-open';
import { inWords } from '../../rules/reasons/in-words';
import { namingProjects } from '../../rules/words/names';
import type { HostUnderWork, SessionSummaryBody } from '../schemas/summary-schemas';
import type { WaitingBody } from '../schemas/waiting-schema';
import { secondsUntil } from '../showing/seconds-until';
import { serializeBlockers } from '../showing/serialize-blockers';
import { nextOpening } from '../waiting/next-opening';
import { type KnownOfWaits, waitingNow } from '../waiting/waiting-now';
import { blockersNow } from './blockers';
import { nextStepsOf } from './next-steps';
import { progressOf } from './progress';
import type { SummaryFacts } from './summary-facts';
import { waitsOf } from './waits';

const underWorkShown = 50;

export const summaryOf = (facts: SummaryFacts, known: KnownOfWaits): SessionSummaryBody => {
  const { session, detail, instances, now } = facts;
  const reasons = waitingNow(detail, known, 'all');
  const underWork = hostsUnderWork(facts, reasons);
  const hostnames = new Set(detail.hosts.map(({ hostname }) => hostname));
  const workedOn = new Set(underWork.map(({ hostname }) => hostname));
  const onHostsUnderWork = new Set(
    detail.instances.filter(({ host }) => workedOn.has(host)).map(({ instanceId }) => instanceId),
  );
  const stuck = new Set(underWork.filter(({ waits_for }) => waits_for !== null).map(({ hostname }) => hostname));
  return {
    ...progressOf({ ...facts, hosts: detail.hosts }),
    now: now.toISOString(),
    prev_state: session.prevState,
    paused_because: session.pausedBecause,
    failure: session.failure && namingProjects(session.failure, detail.projectNames),
    deadline: session.deadline?.toISOString() ?? null,
    deadline_seconds_left: secondsUntil(session.deadline, now),
    ...maintenanceWindowOf(session, now),
    instance_count: instances.reduce((sum, { count }) => sum + count, 0),
    moving_count: detail.begun.size,
    moved_count: facts.done.moves,
    refused_move_count: facts.done.refusedMoves,
    question_count: facts.done.questions,
    answer_count: facts.done.answers,
    open_questions: detail.openQuestions.length,
    project_ids: instances.map(({ projectId }) => projectId),
    under_work: underWork.slice(0, underWorkShown),
    waiting: waitsOf(reasons, { hostnames, sessionId: session.id, isUnderWork: (id) => onHostsUnderWork.has(id) }),
    blockers: serializeBlockers(blockersNow(facts), detail.projectNames),
    next: nextStepsOf({ session, hosts: detail.hosts, stuck }),
  };
};

const maintenanceWindowOf = (
  session: SessionProgress,
  now: Date,
): Pick<SessionSummaryBody, 'window_open' | 'window_seconds_left' | 'frozen_by'> => {
  if (!isBoundToTimes(session)) return { window_open: null, window_seconds_left: null, frozen_by: null };
  if (isWindowOpen(session, now)) {
    return { window_open: true, window_seconds_left: secondsUntil(session.windowClosesAt, now), frozen_by: null };
  }
  const { opensAt, frozenBy } = nextOpening(session, now);
  return { window_open: false, window_seconds_left: secondsUntil(opensAt, now), frozen_by: frozenBy };
};

const phasesUnderWork = ['emptying', 'maintaining', 'releasing'] as const;

const hostsUnderWork = ({ detail, now }: SummaryFacts, reasons: readonly WaitingBody[]): HostUnderWork[] => {
  const there = Map.groupBy(
    detail.instances.filter(({ state }) => state !== 'DELETED'),
    ({ host }) => host,
  );
  const reasonOf = new Map(reasons.map((reason) => [reason.who, reason]));
  return detail.hosts
    .flatMap(({ hostname, phase, phaseSince }): HostUnderWork[] => {
      const known = phasesUnderWork.find((one) => one === phase);
      if (known === undefined) return [];
      const instances = there.get(hostname) ?? [];
      const reason = reasonOf.get(hostname);
      return [
        {
          hostname,
          phase: known,
          phase_since: phaseSince.toISOString(),
          phase_seconds: Math.max(0, Math.floor((now.getTime() - phaseSince.getTime()) / 1000)),
          instance_count: instances.length,
          moving_count: instances.filter(({ instanceId }) => detail.begun.has(instanceId)).length,
          waits_for: reason === undefined ? null : inWords(reason),
          seconds_left: reason?.remaining_seconds ?? null,
        },
      ];
    })
    .sort((one, other) => other.phase_seconds - one.phase_seconds);
};
