/**
 * Action plug-ins that work until something has happened, or they are stopped, and then do in no time what `dummy`
 * does. So no test has to be quicker than a plug-in.
 */
import { once } from 'node:events';
import { type ActionPlugin, type ActionPluginRun } from '../../../plugins/actions/action-plugin';
import { dummy } from '../../../plugins/actions/dummy';
import { eventually } from '../../waiting/eventually';
import type { Rig } from './rig';

export const heldUntil = (name: string, happened: (run: ActionPluginRun) => Promise<unknown>): ActionPlugin => ({
  name,
  async run(run) {
    await Promise.race([happened(run), once(run.signal, 'abort')]);
    return dummy.run({ ...run, metadata: { ...run.metadata, seconds: 0 } });
  },
});

/**
 * The plug-in `after-start`: a host of START_MAINTENANCE that was maintained, or failed, before the session has
 * announced the others would keep it from PLANNED_MAINTENANCE.
 */
export const afterStart = (rig: () => Rig): ActionPlugin =>
  heldUntil('after-start', ({ session: { id } }) =>
    eventually(`session ${id} has left START_MAINTENANCE`, async () => {
      const { state } = await rig().db.session.findUniqueOrThrow({ where: { id } });
      return state !== 'START_MAINTENANCE' || undefined;
    }),
  );
