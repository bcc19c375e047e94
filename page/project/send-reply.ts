/** Sends the reply to a question to the address that the question has. */
import type { Api } from '../client/api';
import type { Question } from '../client/types';
import { type ReplyDraft, replyTo } from './reply';

export const sendReply = (api: Api, question: Question, draft: ReplyDraft): Promise<unknown> => {
  const { session_id: sessionId, project_id: projectId, instance_id: instanceId } = question;
  const body = replyTo(question, draft);
  return instanceId === null
    ? api.reply(sessionId, projectId, body)
    : api.replyForInstance({ sessionId, projectId, instanceId }, body);
};
