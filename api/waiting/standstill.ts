/** The reasons of a session in which nothing begins: it is paused, after its canary, out of its windows, or frozen. */
import type { HostRecord, SessionDetail } from '../../prisma/session/session-detail';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { isWindowOpen } from '../../rules/maintenance-windows/is-window-open';
import {
  afterCanaryReason,
  freezesReason,
  frozenReason,
  opensReason,
  resumeReason,
  windowReason,
} from '../../rules/reasons/of-standstill';
import type { Reason } from '../../rules/reasons/reason';
import { canaryStage } from '../../rules/steering/canary';
import { nextOpening } from './next-opening';
import { isOver, questionByInstance, reasonOfQuestion } from './questions-asked';

/**
 * A reason for every host that is not over, and every instance on one: the answer where one is awaited, or else that of
 * the session. undefined: the session is not at a standstill.
 */
export const reasonsAtStandstill = (detail: SessionDetail): Reason[] | undefined => {
  const standstill = reasonOfSession(detail);
  if (standstill === undefined) return undefined;
  const { hosts, instances, begun, now } = detail;
  const questions = questionByInstance(detail);
  const toBeEmptied = new Set(hosts.filter((host) => !isDone(host)).map(({ hostname }) => hostname));
  const waits = hosts.filter((host) => !isInFlight(host, detail)).map(({ hostname: who }) => ({ ...standstill, who }));
  const stays = instances.filter(
    ({ instanceId, host, state }) => state !== 'DELETED' && toBeEmptied.has(host) && !begun.has(instanceId),
  );
  return [
    ...waits,
    ...stays.map(({ instanceId: who }): Reason => {
      const question = questions.get(who);
      return question && !isOver(question, now) ? reasonOfQuestion(now, who, question) : { ...standstill, who };
    }),
  ];
};

/** In the order in which decisions look (rules/steering/work-now.ts). Its row tells it before a worker has looked. */
const reasonOfSession = (detail: SessionDetail): Reason | undefined => {
  const { id, pausedAt, pausedBecause, opening, steering } = detail.session;
  if (pausedAt !== null) return resumeReason(id, pausedAt.getTime(), pausedBecause);
  const afterCanary = waitAfterCanary(detail);
  if (afterCanary !== undefined) return afterCanary;
  const { windowProblem: problem } = opening;
  if (problem !== null) return steering.windows === null ? freezesReason(id, problem) : windowReason(id, problem);
  return reasonUntilOpen(detail);
};

const waitAfterCanary = ({ session, now }: SessionDetail): Reason | undefined => {
  const { id, canaryEndedAt, steering } = session;
  if (canaryEndedAt === null) return undefined;
  const endedAtMs = canaryEndedAt.getTime();
  const stage = canaryStage({ canary: steering.canary, endedAtMs, nowMs: now.getTime(), own: [], choose: () => [] });
  return stage.kind === 'waiting' ? afterCanaryReason(id, endedAtMs, stage.untilMs) : undefined;
};

/** The next opening; undefined: there is one now, or the session waits for something else first. */
const reasonUntilOpen = ({ session, now }: SessionDetail): Reason | undefined => {
  const { id, steering, opening, state, maintenanceAt } = session;
  if (isWindowOpen({ ...steering, ...opening }, now)) return undefined;
  const { opensAt, frozenBy } = nextOpening(opening, now);
  if (opensAt === null || (state === 'MAINTENANCE' && opensAt < maintenanceAt)) return undefined;
  return frozenBy === null ? opensReason(id, opensAt.getTime()) : frozenReason(id, opensAt.getTime(), frozenBy);
};

/** True when it is done, ends by itself, or something on it does. */
const isInFlight = ({ hostname, phase, announcedAt }: HostRecord, detail: SessionDetail): boolean => {
  switch (phase) {
    case 'waiting':
      return false;
    case 'emptying':
      return (
        detail.openQuestions.some((question) => question.hostname === hostname) ||
        detail.instances.some(({ instanceId, host }) => host === hostname && detail.begun.has(instanceId))
      );
    case 'maintaining':
      return announcedAt !== null;
    case 'releasing':
    case 'maintained':
    case 'failed':
    case 'set_aside':
    case 'skipped':
      return true;
  }
};
