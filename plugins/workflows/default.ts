/** The workflow `default`: asks each project once for all its instances, and drains one host at a time. */
import type { WorkflowPlugin } from './workflow-plugin';

export const defaultWorkflow: WorkflowPlugin = {
  name: 'default',
  states: {
    async MAINTENANCE(session) {
      await session.askProjects();
      await session.waitUntilStart();
      await session.runPlugins('pre');
      // Only now: the facts from the time when the projects were told may be hours old.
      return session.chooseBeginning();
    },
    SCALE_IN: (session) => session.scaleIn(),
    PREPARE_MAINTENANCE: (session) => session.roll(),
    START_MAINTENANCE: (session) => session.roll(),
    PLANNED_MAINTENANCE: (session) => session.roll(),
    async MAINTENANCE_COMPLETE(session) {
      await session.runPlugins('post');
      await session.askProjects();
      return 'MAINTENANCE_DONE';
    },
  },
};
