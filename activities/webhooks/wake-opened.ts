/** Wakes those who wait for the windows of questions that have opened, or may open now. */
import type { OpenedWindow } from '../../events/reply-windows';
import type { Services } from '../services';

/** The session and its hosts look again when the window ends. A lost wake-up costs time and nothing else. */
export const wakeOpened = async (
  { control }: Pick<Services, 'control'>,
  opened: readonly OpenedWindow[],
): Promise<void> => {
  for (const { sessionId, hostname } of opened) {
    await control.wakeSession(sessionId);
    if (hostname !== null) await control.wakeHost(sessionId, hostname);
  }
};
