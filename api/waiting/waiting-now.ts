/**
 * The reasons for which each host and instance of a session waits at this moment: those that the last decision noted
 * (rules/decisions/both-workflows/waiting-reasons.ts), less the time that has passed, and those that rows tell which
 * change between decisions: of questions, of moves, of the session's pause and windows. The plan tells which of them
 * end by themselves (rules/reasons/by-plan.ts).
 */
import { reasonsIn } from '../../prisma/session/noted-reasons';
import type { SessionDetail } from '../../prisma/session/session-detail';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { becauseHeldUp } from '../../rules/obstacles/held-up-move';
import { asTurn, type Turns } from '../../rules/reasons/by-plan';
import type { Reason } from '../../rules/reasons/reason';
import type { WaitingBody } from '../schemas/waiting-schema';
import type { NamedDetail } from '../showing/name-projects';
import {
  answersAtTheEnd,
  isPresent,
  reasonOfTurn,
  reasonsInMaintenance,
  reasonsOfHosts,
  reasonsOfStillHosts,
} from './hosts-that-wait';
import {
  askedAgainMs,
  type AskingAgain,
  isAbout,
  questionByInstance,
  reasonOfQuestion,
  type ShownDetail,
} from './questions-asked';
import { reasonsAtStandstill } from './standstill';
import { tellReason } from './tell-reason';

/** one: a reason for each host and instance. all: where the session waits for several projects, each of them. */
type OneOrAll = 'one' | 'all';

/** All that is known beside the records. */
export interface KnownOfWaits extends AskingAgain {
  readonly turns: Turns;
}

export const waitingNow = (stored: NamedDetail, known: KnownOfWaits, which: OneOrAll): WaitingBody[] =>
  reasonsNow({ ...stored, ...known }, which).map(tellReason(stored));

type DetailWithTurns = ShownDetail & Pick<KnownOfWaits, 'turns'>;

const reasonsNow = (detail: DetailWithTurns, which: OneOrAll): Reason[] => {
  const { state, stopping, aborting, deleting } = detail.session;
  if (state === 'MAINTENANCE_DONE' || state === 'MAINTENANCE_FAILED') return [];
  // No host waits for its turn, an answer or a resume any more: what is in flight ends.
  const isEnding = stopping || aborting || deleting || state === 'MAINTENANCE_COMPLETE';
  if (isEnding) {
    return [...reasonsInMaintenance(detail, new Set()), ...(which === 'all' ? answersAtTheEnd(detail) : [])];
  }
  return reasonsAtStandstill(detail) ?? reasonsInWork(detail, which);
};

/** In SCALE_IN only hosts have a noted reason, and a host first waits for the answer of a project. */
const reasonsInWork = (detail: DetailWithTurns, which: OneOrAll): Reason[] => {
  const byPlan = asTurn(detail.turns);
  const all = notedReasons(detail).map(byPlan);
  const isScaleIn = detail.session.state === 'SCALE_IN';
  const noted = isScaleIn ? [] : all;
  const missing = new Map(isScaleIn ? all.map((reason) => [reason.who, reason]) : []);
  const known = new Set(noted.map(({ who }) => who));
  const ofHosts = reasonsOfHosts(detail, known, missing);
  const reasons = [
    ...noted,
    ...ofHosts.flatMap((several) => several.slice(0, which === 'all' ? undefined : 1)).map(byPlan),
    ...reasonsInMaintenance(detail, known),
    ...reasonsOfInstances(detail, known),
    ...reasonsOfMoves(detail),
  ];
  return [...reasons, ...reasonsOfStillHosts(detail, reasons)];
};

/** Not for what is moving by now. */
const notedReasons = (detail: ShownDetail): Reason[] =>
  reasonsIn(detail.session.waiting)
    .filter(({ who }) => !detail.moving.has(who))
    .map((reason) => (reason.waitingFor === 'answer' ? reasonOfAnswer(detail, reason) : reason));

const reasonOfAnswer = (detail: ShownDetail, noted: Reason): Reason => {
  const { openQuestions, refusals, now } = detail;
  const question = openQuestions.find((one) => isAbout(one, noted.who));
  if (question) {
    const asked = reasonOfQuestion(now, noted.who, question);
    return { ...asked, because: asked.because ?? noted.because };
  }
  const refused = refusals.filter((one) => isAbout(one, noted.who));
  return { ...noted, untilMs: noted.untilMs ?? askedAgainMs(detail, refused) };
};

/**
 * An instance waits for the answer when its host's questions were asked after admission noted its reasons. An instance
 * without any other reason waits for its host: to be drained, or to be given back.
 */
const reasonsOfInstances = (detail: SessionDetail, known: ReadonlySet<string>): Reason[] => {
  const { hosts, instances, moving, now } = detail;
  const questions = questionByInstance(detail);
  const toBeEmptied = new Map(hosts.flatMap((host) => (isDone(host) ? [] : [[host.hostname, host]])));
  return instances
    .filter((instance) => isPresent(instance) && !known.has(instance.instanceId) && !moving.has(instance.instanceId))
    .flatMap(({ instanceId, host: hostname }) => {
      const host = toBeEmptied.get(hostname);
      if (host === undefined) return [];
      const question = questions.get(instanceId);
      return [question ? reasonOfQuestion(now, instanceId, question) : reasonOfTurn(host, instanceId)];
    });
};

/** Tells which moves the cloud does not carry out yet, with the cloud's words. */
const reasonsOfMoves = ({ instances, moving }: SessionDetail): Reason[] =>
  instances.flatMap(({ instanceId: who, host: subject, details, heldUpSince }) => {
    const because = moving.has(who) ? becauseHeldUp(details) : undefined;
    if (because === undefined) return [];
    return [{ waitingFor: 'move', who, subject, because, sinceMs: heldUpSince?.getTime() }];
  });
