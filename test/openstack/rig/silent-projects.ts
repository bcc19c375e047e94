/** Projects with servers whose managers never answer: no test waits for the end of their windows. */
import { type PlannedEvent, type Policy, startManager, staySilent } from '../../integration/rig/manager';
import { endReplyWindowOf } from '../../integration/rig/reply-windows';
import type { Rig } from '../../integration/rig/rig';
import { projectIdOf } from './operator';

/**
 * @param policy answers nothing; left out: every window ends at once
 * @returns what ends them
 */
export const keepSilent = async (rig: Rig, policy: Policy = staySilent): Promise<() => void> => {
  const endWindow = ({ message_id: messageId }: PlannedEvent) => endReplyWindowOf(rig, messageId);
  const projectIds = await Promise.all(['web', 'database'].map(projectIdOf));
  const managers = projectIds.map((projectId) => startManager({ url: rig.url, projectId, policy, endWindow }));
  return () => {
    for (const manager of managers) manager.stop();
  };
};
