/** Records one reply of a project, as the API records many. */
import type { Database } from '../../../prisma/database';
import { type AddressedReply, recordReplies, type ReplyOutcome } from '../../../prisma/questions/project-replies';
import { simulatedActions } from '../../../rules/simulation/simulated-actions';

export const recordReply = async (db: Database, reply: AddressedReply): Promise<ReplyOutcome> => {
  const outcome = (await recordReplies(db, simulatedActions, [reply])).get(reply);
  if (outcome === undefined) throw new Error('the reply has no outcome');
  if (outcome.kind === 'notRecorded') throw outcome.error;
  return outcome;
};
