/** A look at the cloud that began before something was recorded takes nothing of it back. */
import { pino } from 'pino';
import { followInstances } from '../../../../activities/hosts/note-instances';
import type { Services } from '../../../../activities/services';
import { databaseNow } from '../../../../prisma/database';
import { findSessionHosts } from '../../../../prisma/hosts/session-hosts';
import { changeInstance } from '../../../../prisma/hosts/session-instances';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database';
import { anInstanceOn, targetFor } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('keeps where an instance has landed since, and tells of no arrival', async () => {
  const { db } = database;
  const told: string[] = [];
  const logger = pino({}, { write: (line: string) => told.push(line) });
  const services = { db, logger } as unknown as Services;
  const since = new Date(Date.now() - 60_000);
  const host = { hostname: 'a', phase: 'emptying', disabled: true, disabledAt: since, phaseSince: since };
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE', workflow: 'vnf' }, [host]);
  const instance = anInstanceOn('a');
  const { instanceId, instanceName, projectId, state } = instance;
  await db.sessionInstance.create({ data: { sessionId, instanceId, instanceName, projectId, host: 'a', state } });
  const listed = { takenAt: await databaseNow(db), hosts: [{ ...targetFor(2), name: 'a' }], instances: [instance] };
  await changeInstance(db, { sessionId, instanceId }, { host: 'b', updatedAt: await databaseNow(db) });
  await run(async () => followInstances(services, { sessionId, hosts: await findSessionHosts(db, sessionId) }, listed));
  expect(await db.sessionInstance.findFirst({ where: { instanceId } })).toMatchObject({ host: 'b' });
  expect(told).toEqual([]);
});
