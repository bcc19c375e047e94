/** Sends the reply to a question to the address that the question has. */
import type { Api } from '../client/api';
import type { Question } from '../client/types';
import { type ReplyBody, type ReplyDraft, replyTo } from './reply';

export const sendReply = (api: Api, question: Question, draft: ReplyDraft): Promise<unknown> =>
  sendBody(api, question, replyTo(question, draft));

export const sendBody = (api: Api, question: Question, body: ReplyBody): Promise<unknown> => {
  const { session_id: sessionId, project_id: projectId, instance_id: instanceId } = question;
  return instanceId === null
    ? api.reply(sessionId, projectId, body)
    : api.replyForInstance({ sessionId, projectId, instanceId }, body);
};
