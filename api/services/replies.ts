/**
 * A project's requests and replies in a session. The meaning of a reply: rules/questions/decide-reply.ts. Its record:
 * prisma/questions/project-replies.ts.
 */
import type { Logger } from 'pino';
import { gathered } from '../../calls/joined';
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findProjectInstanceIds } from '../../prisma/questions/project-instances';
import {
  type AddressedReply,
  type ProjectInSession,
  recordReplies,
  type ReplyOutcome,
} from '../../prisma/questions/project-replies';
import type { RecordedAnswer } from '../../prisma/questions/record-answers';
import { findDeadline } from '../../prisma/session/session-steering';
import { beyondDeadlineInWords, deadlineBefore, lastTimeIn } from '../../rules/owner-times/beyond-deadline';
import type { Reply } from '../../rules/questions/decide-reply';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { replyRefused, sessionNotThere } from '../problems/problem-catalogue';
import type { ReplyNoteBody } from '../schemas/reply-schemas';

export interface Replies {
  /** The instances in the project's open question, or else in its last one. */
  instanceIds(target: ProjectInSession): Promise<readonly string[]>;
  /** @returns a warning where it puts work off until after the deadline of the session */
  take(target: ProjectInSession, reply: Reply): Promise<ReplyNoteBody | undefined>;
}

interface ReplyDeps {
  readonly db: Database;
  readonly cloud: Pick<CloudDriver, 'actions'>;
  readonly workflowCalls: WorkflowCalls;
  readonly logger: Logger;
}

const act = async (
  { workflowCalls, logger }: ReplyDeps,
  { target, reply }: AddressedReply,
  outcome: ReplyOutcome,
): Promise<void> => {
  if (outcome.kind === 'unknownSession') throw sessionNotThere(target.sessionId);
  if (outcome.kind === 'refuse') throw replyRefused(outcome);
  if (outcome.answered) logAnswer(logger, outcome.answered);
  // A repeated reply also wakes, because the first wake-up may have been lost. An answer about a single instance was
  // admitted before, so only its host has something to do, unless the answer may put it off.
  if (outcome.hostname === undefined || reply.instanceId === undefined || outcome.mayPutOff)
    await workflowCalls.wakeSession(target.sessionId);
  if (outcome.hostname !== undefined) await workflowCalls.wakeHost(target.sessionId, outcome.hostname);
};

const noteOn = async ({ db }: ReplyDeps, { target, reply }: AddressedReply): Promise<ReplyNoteBody | undefined> => {
  const time = lastTimeIn(reply.times);
  if (time === undefined) return undefined;
  const deadline = deadlineBefore(await findDeadline(db, target.sessionId), time);
  return deadline && { warning: beyondDeadlineInWords(time, deadline), deadline: deadline.toISOString() };
};

const logAnswer = (logger: Logger, { askedAt, answeredAt, ...answer }: RecordedAnswer): void => {
  const tookSeconds = askedAt && Math.round((answeredAt.getTime() - askedAt.getTime()) / 100) / 10;
  logger.info({ ...answer, tookSeconds }, 'question answered');
};

/** Replies, and looks of managers, that come at the same time share a transaction: it costs more than a row in it. */
export const createReplies = (deps: ReplyDeps): Replies => {
  const find = gathered((targets: readonly ProjectInSession[]) => findProjectInstanceIds(deps.db, targets));
  const record = gathered((replies: readonly AddressedReply[]) => recordReplies(deps.db, deps.cloud.actions, replies));
  return {
    async instanceIds(target) {
      const ids = await find(target);
      if (ids === undefined) throw sessionNotThere(target.sessionId);
      return ids;
    },
    async take(target, reply) {
      const addressed = { target, reply };
      const outcome = await record(addressed);
      if (outcome === undefined) throw new Error('a reply has no outcome');
      if (outcome.kind === 'notRecorded') throw outcome.error;
      await act(deps, addressed, outcome);
      return noteOn(deps, addressed);
    },
  };
};
