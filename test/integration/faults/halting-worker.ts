/**
 * A worker process that stands still at moments. Arguments: the folder of the moments' files, the moments with commas
 * between them (at those of other processes the worker runs as usual), and the workflows' bundle.
 */
import { type Activities, createActivities } from '../../../activities';
import type { Services } from '../../../activities/services';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import { loadSettings } from '../../../config/settings';
import { runWorker } from '../../../worker/run-worker';
import { halt, type Moment } from './moments';

const [folder = '', moments = '', codePath = ''] = process.argv.slice(2);

const haltAt = async (reached: Moment): Promise<void> => {
  if (moments.split(',').includes(reached)) await halt(folder, reached);
};

const haltingCloud = (cloud: CloudDriver): CloudDriver => ({
  ...cloud,
  async startMove(move) {
    const status = await cloud.startMove(move);
    await haltAt('mid-move');
    return status;
  },
});

const makeActivities = (services: Services): Activities => {
  const activities = createActivities({ ...services, cloud: haltingCloud(services.cloud) });
  return {
    ...activities,
    async enterState(entry) {
      await activities.enterState(entry);
      // in the middle of the session: hosts are maintained already, others are still to be drained
      if (entry.state === 'PLANNED_MAINTENANCE') await haltAt('entering');
    },
    async planAndAdmit(ref) {
      const ofSession = { where: { sessionId: ref.sessionId } };
      const before = await services.db.claim.count(ofSession);
      const plan = await activities.planAndAdmit(ref);
      // nothing else makes claims
      if ((await services.db.claim.count(ofSession)) > before) await haltAt('admission');
      return plan;
    },
  };
};

void runWorker(loadSettings(process.env), { makeActivities, workflowBundle: { codePath } });
