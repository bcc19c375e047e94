/** A cloud that takes 20 s for a list: the session takes longer, and is done all the same. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import { aLooseFleet, looseProject } from '../../builders/a-loose-fleet';
import { anAdmin } from '../rig/admin';
import { acknowledge, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';

const listingMs = 20_000;
const host = 'compute-1';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ fleet: aLooseFleet({ hosts: [host], instancesOnEach: 2 }) });
});
afterAll(() => rig.stop());

/** The lists that take so long: those of some looks at the whole cloud, so that the test does not take five minutes. */
const slowLists = 12;

/** @param over ends the waits of what nobody waits for any more, such as the sweeper's next round */
const slowly = (cloud: CloudDriver, over: AbortSignal) => {
  let lists = 0;
  const afterAWhile =
    <Args extends readonly unknown[], Answer>(list: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      lists += 1;
      if (lists <= slowLists) await pause(listingMs, undefined, { signal: over });
      return list(...args);
    };
  const slow: CloudDriver = {
    ...cloud,
    listHosts: afterAWhile(() => cloud.listHosts()),
    listHostsLately: afterAWhile(() => cloud.listHostsLately()),
    findHost: afterAWhile((name: string) => cloud.findHost(name)),
    listInstances: afterAWhile((host?: string) => cloud.listInstances(host)),
    listGroups: afterAWhile(() => cloud.listGroups()),
  };
  return { slow, lists: () => lists };
};

it('is waited for longer than heartbeats may be missing, and nothing is tried twice for it', async () => {
  const over = new AbortController();
  const { slow, lists } = slowly(rig.services.cloud, over.signal);
  await rig.restartWorker({ cloud: slow });
  const manager = startManager({ url: rig.url, projectId: looseProject, policy: acknowledge });
  const admin = anAdmin(rig.url);
  const request = { workflow: 'vnf', hosts: [host], actions: [{ plugin: 'dummy', type: 'host' }] };
  const sessionId = await admin.create(request);
  expect((await admin.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
  over.abort();
  manager.stop();
  expect(lists()).toBeGreaterThan(slowLists);
  const { events } = await rig.client.workflow.getHandle(sessionId).fetchHistory();
  const attempts = (events ?? []).map(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? 1);
  expect(Math.max(...attempts)).toBe(1);
});
