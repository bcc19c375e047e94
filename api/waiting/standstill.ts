/** The reasons of a session in which nothing begins: it is paused, or its maintenance window is closed. */
import type { SessionDetail } from '../../prisma/session/session-detail';
import { isWindowOpen } from '../../rules/maintenance-windows/is-window-open';
import type { Waiting } from '../../rules/obstacles/waits';
import { waitingWhilePaused } from '../../rules/questions/while-paused';
import { opensReason, windowProblem } from '../../rules/steering/work-in-maintenance-window';
import { resumeReason } from '../../rules/steering/work-now';
import type { WaitingReason } from './name-waiting';
import { isAbout, isPresent, reasonUntil, whyAskedToAct } from './reasons';

/** undefined: the session is not at a standstill. */
export const reasonsAtStandstill = (detail: SessionDetail): WaitingReason[] | undefined => {
  const { session } = detail;
  if (session.pausedAt !== null) return waitingInPause(detail, session.pausedAt);
  const { windowProblem: problem } = session.opening;
  if (problem !== null) return waitingForAll(detail, { reasonFor: (who) => windowProblem(who, problem) });
  const opensAt = opensLater(detail);
  return opensAt && waitingForWindow(detail, opensAt);
};

/** Asks the records alone: a pause holds from the moment of the request, even before a worker has looked. */
const waitingInPause = (detail: SessionDetail, pausedAt: Date): WaitingReason[] =>
  waitingForAll(detail, {
    since: pausedAt,
    reasonFor: (who) => resumeReason(who, pausedAt.getTime(), detail.session.pausedBecause),
  });

/** The next opening of a maintenance window; undefined: one is open, or the session waits for something else first. */
const opensLater = ({ session, now }: SessionDetail): Date | undefined => {
  const { steering, opening, state, maintenanceAt } = session;
  if (isWindowOpen({ ...steering, ...opening }, now)) return undefined;
  const closed = opening.windowClosesAt !== null && opening.windowClosesAt <= now;
  const opensAt = (closed ? opening.windowOpensAgainAt : opening.windowOpensAt) ?? undefined;
  return state === 'MAINTENANCE' && opensAt !== undefined && opensAt < maintenanceAt ? undefined : opensAt;
};

/** Asks the records alone as well. */
const waitingForWindow = (detail: SessionDetail, opensAt: Date): WaitingReason[] =>
  waitingForAll(detail, {
    reasonFor: (who) => opensReason(who, opensAt.getTime(), detail.now.getTime()),
  });

interface Standstill {
  readonly reasonFor: (who: string) => Waiting;
  readonly since?: Date;
}

const waitingForAll = (detail: SessionDetail, { reasonFor, since }: Standstill): WaitingReason[] => {
  const { hosts, instances, openQuestions, begun, now } = detail;
  const waiting = waitingWhilePaused({
    reasonFor,
    nowMs: now.getTime(),
    hosts: hosts.map(({ hostname: name, phase, announcedAt }) => ({ name, phase, isAnnounced: announcedAt !== null })),
    instances: instances.filter(isPresent).map(({ instanceId: id, host }) => ({ id, host })),
    moving: begun,
    questions: openQuestions.flatMap(({ hostname, projectId, instanceIds, askedAt, replyAt }) => {
      if (hostname === null || !Array.isArray(instanceIds)) return [];
      const times = {
        ...(askedAt && { askedAtMs: askedAt.getTime() }),
        ...(replyAt && { replyAtMs: replyAt.getTime() }),
      };
      return [{ hostname, projectId, instanceIds: instanceIds.map(String), ...times }];
    }),
  });
  return waiting.map(({ waitingFor, remainingMs, ...reason }) =>
    reasonUntil(
      detail,
      { waiting_for: waitingFor, ...reason, ...whatWasAsked(detail, reason.who, since) },
      remainingMs && now.getTime() + remainingMs,
    ),
  );
};

/** Tells of open questions their start, and why not more was offered. Everything else waits for the resume. */
const whatWasAsked = (
  { openQuestions }: SessionDetail,
  who: string,
  since: Date | undefined,
): Pick<WaitingReason, 'because' | 'since'> => {
  const question = openQuestions.find((one) => isAbout(one, who));
  if (question === undefined) return since === undefined ? {} : { since };
  return { since: question.askedAt ?? question.createdAt, because: whyAskedToAct(question, who) };
};
