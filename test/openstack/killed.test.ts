/** A worker killed with -9 while Nova moves a server: the next one attaches to that move, and nothing moves twice. */
import { goOn, momentReached } from '../integration/faults/moments';
import { withServiceUnderFire } from '../integration/faults/service-under-fire';
import { anAdmin } from '../integration/rig/admin';
import { openStackEnvironment } from './rig/driver-under-test';
import { enableOnly, listComputes, listMigrations, listServers, makeServer } from './rig/operator';
import { setFault } from './rig/switches';

const hosts = ['compute-1', 'compute-2'];

it('goes on with the move that the killed worker began', async () => {
  await enableOnly([...hosts, 'compute-3']);
  const moved = await makeServer({ name: 'in-flight', host: 'compute-1' });
  await makeServer({ name: 'elsewhere', host: 'compute-2' });
  await setFault(moved.id, { seconds: 8 });
  const environment = {
    ...openStackEnvironment(),
    PARLEY_PROJECT_REPLY_SECONDS: '2',
    PARLEY_LIVE_MOVE_SECONDS: '120',
    PARLEY_MOVE_SECONDS: '120',
  };
  await withServiceUnderFire({ moments: ['mid-move'], environment }, async (service) => {
    const admin = anAdmin(service.url);
    const sessionId = await admin.create({ hosts });
    await momentReached(service.folder, 'mid-move');
    await service.kill('worker');
    await goOn(service.folder, 'mid-move');
    const { percent_done } = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(percent_done).toBe(100);
    const claims = await service.db.claim.findMany({ where: { outcome: 'done' } });
    const byNova = (await Promise.all((await listServers()).map(({ id }) => listMigrations(id)))).flat();
    expect(byNova.map(({ status }) => status)).toEqual(claims.map(() => 'completed'));
  });
  const computes = (await listComputes()).filter(({ host }) => hosts.includes(host));
  expect(computes.map(({ status }) => status)).toEqual(['enabled', 'enabled']);
});
