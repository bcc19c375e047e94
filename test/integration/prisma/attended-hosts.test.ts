/** The hosts that a worker attends, while others change their rows. */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../../prisma/database';
import { isAttended, recordStillAttended } from '../../../prisma/hosts/attended-hosts';
import { changeHost } from '../../../prisma/hosts/session-hosts';
import { createSession } from '../../../prisma/session/sessions';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('a host whose row a decision is changing is attended once more afterwards, and the others at once', async () => {
  const { db } = database;
  const sessionId = randomUUID();
  const names = { workflow: 'vnf', state: 'MAINTENANCE', metadata: {}, actions: [], download: [] };
  const hostnames = ['changed', 'other'];
  const hosts = hostnames.map((hostname) => ({ hostname, type: 'compute' as const, isCompute: true }));
  await createSession(db, { session: { sessionId, maintenanceAt: new Date(), hosts, ...names }, maxSessions: 1 });
  const attended = hostnames.map((hostname) => ({ sessionId, hostname }));
  const [changed, other] = attended;
  const sayAgain = () => recordStillAttended(db, attended, 60_000);
  await inTransaction(db, async (tx) => {
    await changeHost(tx, changed!, { phase: 'emptying' });
    await sayAgain();
    expect([await isAttended(db, changed!), await isAttended(db, other!)]).toEqual([false, true]);
  });
  await sayAgain();
  expect(await isAttended(db, changed!)).toBe(true);
});
