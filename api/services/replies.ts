/**
 * A project's requests and replies in a session. The meaning of a reply: rules/questions/decide-reply.ts. Its record:
 * prisma/questions/project-replies.ts.
 */
import type { Logger } from 'pino';
import type { Database } from '../../prisma/database';
import {
  findProjectInstanceIds,
  type ProjectInSession,
  type RecordedAnswer,
  recordReply,
} from '../../prisma/questions/project-replies';
import type { Reply } from '../../rules/questions/decide-reply';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { replyRefused, sessionNotThere } from '../problems/problem-catalogue';

export interface Replies {
  /** The instances in the project's open question, or else in its last one. */
  instanceIds(target: ProjectInSession): Promise<readonly string[]>;
  take(target: ProjectInSession, reply: Reply): Promise<void>;
}

interface ReplyDeps {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  readonly logger: Logger;
}

const take = async (
  { db, workflowCalls, logger }: ReplyDeps,
  { target, reply }: { readonly target: ProjectInSession; readonly reply: Reply },
): Promise<void> => {
  const outcome = await recordReply(db, { target, reply });
  if (outcome.kind === 'unknownSession') throw sessionNotThere(target.sessionId);
  if (outcome.kind === 'refuse') throw replyRefused(outcome);
  if (outcome.answered) logAnswer(logger, outcome.answered);
  // A repeated reply also wakes, because the first wake-up may have been lost. An answer about a single instance was
  // admitted before, so only its host has something to do.
  if (outcome.hostname === undefined || reply.instanceId === undefined)
    await workflowCalls.wakeSession(target.sessionId);
  if (outcome.hostname !== undefined) await workflowCalls.wakeHost(target.sessionId, outcome.hostname);
};

const logAnswer = (logger: Logger, { askedAt, answeredAt, ...answer }: RecordedAnswer): void => {
  const tookSeconds = askedAt && Math.round((answeredAt.getTime() - askedAt.getTime()) / 100) / 10;
  logger.info({ ...answer, tookSeconds }, 'question answered');
};

export const createReplies = (deps: ReplyDeps): Replies => ({
  async instanceIds(target) {
    const ids = await findProjectInstanceIds(deps.db, target);
    if (ids === undefined) throw sessionNotThere(target.sessionId);
    return ids;
  },
  take: (target, reply) => take(deps, { target, reply }),
});
