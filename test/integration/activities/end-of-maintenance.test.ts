/** The end of a host's maintenance: the host is as it was before. */
import { pino } from 'pino';
import { createHostActivities } from '../../../activities/host-activities';
import type { Services } from '../../../activities/services';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { drafts } from '../events/recorded-facts';
import { createTestDatabase } from '../setup/test-database';
import { recordRun } from './recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const hostname = 'a';

it.each([
  { situation: 'in use', disabledBefore: false, enabled: true },
  { situation: 'disabled by somebody else', disabledBefore: true, enabled: false },
])('has a host that was $situation enabled: $enabled', async ({ disabledBefore, enabled }) => {
  const { db } = database;
  const out = { phase: 'maintaining', disabled: true, disabledAt: new Date(), disabledBefore };
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE' }, [{ hostname, ...out }]);
  const disabledReason = disabledBefore ? 'broken fan' : `maintenance session ${sessionId}`;
  const listed = { name: hostname, type: 'compute', isCompute: true, vcpus: 1, memoryMb: 1024 };
  await db.simHost.create({ data: { ...listed, disabled: true, disabledReason } });
  const cloud = createSimulatedCloud({ db, speed: 1 });
  // What this activity is in need of.
  const services = { db, cloud, drafts, logger: pino({ level: 'silent' }) } as unknown as Services;
  await run(() => createHostActivities(services).finishMaintenance({ sessionId, hostname }));
  expect(await db.sessionHost.findFirstOrThrow()).toMatchObject({ phase: 'maintained', maintained: true });
  expect(await cloud.listHosts()).toMatchObject([{ name: hostname, enabled }]);
});
