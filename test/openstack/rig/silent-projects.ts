/** Projects with servers whose managers never answer: no test waits for the end of their windows. */
import { type PlannedEvent, startManager, staySilent } from '../../integration/rig/manager';
import type { Rig } from '../../integration/rig/rig';
import { endWindowOf } from '../../integration/rig/windows';
import { projectIdOf } from './operator';

/** @returns what ends them */
export const keepSilent = async (rig: Rig): Promise<() => void> => {
  const endWindow = ({ message_id: messageId }: PlannedEvent) => endWindowOf(rig, messageId);
  const projectIds = await Promise.all(['web', 'database'].map(projectIdOf));
  const managers = projectIds.map((projectId) =>
    startManager({ url: rig.url, projectId, policy: staySilent, endWindow }),
  );
  return () => {
    for (const manager of managers) manager.stop();
  };
};
