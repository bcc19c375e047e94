/**
 * The reasons for which each host and instance of a session waits at this moment: the reasons that admission noted
 * (rules/decisions/both-workflows/waiting-reasons.ts), with the time that is left by now, and reasons from the records
 * for those that admission did not have to look at.
 */
import type { OpenQuestionRecord, SessionDetail } from '../../prisma/session/session-detail';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { becauseHeldUp } from '../../rules/obstacles/held-up-move';
import type { WaitingBody } from '../schemas/waiting-schema';
import type { NamedDetail } from '../showing/name-projects';
import { reasonsInMaintenance } from './hosts-in-maintenance';
import { reasonsOfHosts, reasonsOfStillHosts } from './hosts-that-wait';
import { nameWaiting, type WaitingReason } from './name-waiting';
import { notedReasons } from './noted-reasons';
import {
  type AskingAgain,
  isPresent,
  reasonUntil,
  type ShownDetail,
  waitsForQuestion,
  waitsForTurnOf,
} from './reasons';
import { reasonsAtStandstill } from './standstill';

export const waitingNow = (stored: NamedDetail, { nackRetrySeconds }: AskingAgain): WaitingBody[] => {
  return reasonsNow({ ...stored, nackRetrySeconds }).map(nameWaiting(stored));
};

const reasonsNow = (detail: ShownDetail): WaitingReason[] => {
  const { state, stopping, aborting, deleting } = detail.session;
  if (state === 'MAINTENANCE_DONE' || state === 'MAINTENANCE_FAILED') return [];
  // No host waits for its turn, an answer or a resume any more: what is in flight ends.
  const isEnding = stopping || aborting || deleting || state === 'MAINTENANCE_COMPLETE';
  if (isEnding) return reasonsInMaintenance(detail, new Set());
  const atStandstill = reasonsAtStandstill(detail);
  if (atStandstill) return atStandstill;
  const noted = notedReasons(detail);
  const known = new Set(noted.map(({ who }) => who));
  const reasons = [
    ...noted,
    ...reasonsOfHosts(detail, known),
    ...reasonsInMaintenance(detail, known),
    ...reasonsOfInstances(detail, known),
    ...reasonsOfMoves(detail),
  ];
  return [...reasons, ...reasonsOfStillHosts(detail, reasons)];
};

/**
 * An instance waits for the answer when its host's questions were asked after admission noted its reasons. An instance
 * without any other reason waits for its host: to be drained, or to be given back.
 */
const reasonsOfInstances = (detail: SessionDetail, known: ReadonlySet<string>): WaitingReason[] => {
  const { hosts, instances, moving, openQuestions } = detail;
  const questionAbout = firstAbout(openQuestions.filter(({ hostname }) => hostname !== null));
  const toBeEmptied = new Map(hosts.flatMap((host) => (isDone(host) ? [] : [[host.hostname, host]])));
  return instances
    .filter((instance) => isPresent(instance) && !known.has(instance.instanceId) && !moving.has(instance.instanceId))
    .flatMap(({ instanceId, host: hostname }) => {
      const host = toBeEmptied.get(hostname);
      if (host === undefined) return [];
      const question = questionAbout.get(instanceId);
      return [question ? waitsForQuestion(detail, instanceId, question) : waitsForTurnOf(detail, host, instanceId)];
    });
};

/** Tells which moves the cloud does not carry out yet, with the cloud's words. */
const reasonsOfMoves = (detail: SessionDetail): WaitingReason[] =>
  detail.instances
    .filter(({ instanceId }) => detail.moving.has(instanceId))
    .flatMap(({ instanceId: who, host: subject, details, heldUpSince }) => {
      const because = becauseHeldUp(details);
      if (because === undefined) return [];
      return [
        reasonUntil(detail, { waiting_for: 'move', who, subject, because, since: heldUpSince ?? undefined }, undefined),
      ];
    });

/** The first question about each instance. */
const firstAbout = (questions: readonly OpenQuestionRecord[]): ReadonlyMap<string, OpenQuestionRecord> => {
  const about = questions.flatMap((question) => {
    const { instanceId, instanceIds } = question;
    const ids: readonly unknown[] = Array.isArray(instanceIds) ? instanceIds : [];
    return [instanceId, ...ids].flatMap((id) => (typeof id === 'string' ? [[id, question] as const] : []));
  });
  return new Map(about.toReversed());
};
