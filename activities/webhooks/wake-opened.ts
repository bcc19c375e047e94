/** Wakes those who wait for the windows of questions that have opened, or may open now. */
import type { OpenedReplyWindow } from '../../events/reply-windows';
import type { Services } from '../services';

/** The session and its hosts look again when the window ends. A lost wake-up costs time and nothing else. */
export const wakeOpened = async (
  { workflowCalls }: Pick<Services, 'workflowCalls'>,
  opened: readonly OpenedReplyWindow[],
): Promise<void> => {
  for (const { sessionId, hostname } of opened) {
    await workflowCalls.wakeSession(sessionId);
    if (hostname !== null) await workflowCalls.wakeHost(sessionId, hostname);
  }
};
