/**
 * A whole session on a real Nova: six hosts with 24 servers, three of them one anti-affinity group. What it costs is
 * printed: moves, time for each, requests to Nova for each.
 */
import { violationsIn } from '../traces/check-trace';
import { anAdmin } from '../integration/rig/admin';
import { startRig, type Rig } from '../integration/rig/rig';
import { openStackEnvironment } from './rig/driver-under-test';
import { type FaultyService, openFaultyNova } from './rig/faulty-nova';
import { usualComputes } from './rig/empty-cloud';
import { listComputes, listMigrations, listServers, makeAntiAffinityGroup, makeServers } from './rig/operator';
import { audit } from './rig/switches';
import { recordOpenStackTrace } from './rig/record-openstack-trace';

/** More than 10 minutes would mean that something hangs. */
const sessionMs = 600_000;

/** The most requests that a move may cost on average, listings of the whole cloud included. */
const mostRequests = 10;

describe.each([{ workflow: 'default' }])('a session with the workflow $workflow', ({ workflow }) => {
  let rig: Rig;
  let nova: FaultyService;

  beforeAll(async () => {
    const group = await makeAntiAffinityGroup('apart');
    const placed = Array.from({ length: 21 }, (_, index) => ({
      name: `server-${index + 1}`,
      host: usualComputes[index % usualComputes.length]!,
      project: index % 2 === 0 ? 'web' : 'database',
    }));
    const apart = [1, 2, 3].map((number) => ({ name: `apart-${number}`, host: `compute-${number}`, group }));
    await makeServers([...placed, ...apart]);
    await audit();
    nova = await openFaultyNova();
    const environment = {
      ...openStackEnvironment(),
      OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url,
      PARLEY_LIVE_MOVE_SECONDS: '60',
    };
    rig = await startRig({ environment: { ...environment, PARLEY_MOVE_SECONDS: '120' } });
  });
  afterAll(async () => {
    await rig.stop();
    await nova.close();
  });

  it(
    'maintains all six hosts, keeps every constraint and leaves every host enabled',
    async () => {
      const readTrace = await recordOpenStackTrace(rig.db, rig.services.cloud);
      const before = nova.calls.length;
      const startedMs = Date.now();
      const admin = anAdmin(rig.url, sessionMs);
      const sessionId = await admin.create({ hosts: usualComputes, workflow });
      const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
      expect(done.percent_done).toBe(100);
      const seconds = (Date.now() - startedMs) / 1000;
      const trace = await readTrace();
      const moves = trace.moves.length;
      const requests = nova.calls.length - before;
      console.log(
        `${workflow}: ${moves} moves in ${seconds.toFixed(0)} s, ${(seconds / moves).toFixed(1)} s a move, ` +
          `${requests} requests to Nova, ${(requests / moves).toFixed(1)} a move`,
      );
      expect(violationsIn(trace)).toEqual([]);
      expect(requests / moves).toBeLessThanOrEqual(mostRequests);
      const byNova = (await Promise.all((await listServers()).map(({ id }) => listMigrations(id)))).flat();
      expect(byNova.filter(({ status }) => status === 'completed').length).toBe(moves);
      const computes = (await listComputes()).filter(({ host }) => usualComputes.includes(host));
      expect(computes.map(({ status }) => status)).toEqual(usualComputes.map(() => 'enabled'));
      expect((await listServers()).map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 'ACTIVE'));
    },
    sessionMs,
  );
});
