/** The hosts that a worker attends, while others change their rows. */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../../prisma/database';
import { isAttended, lookAtAttended, recordStillAttended } from '../../../prisma/hosts/attended-hosts';
import { changeHost } from '../../../prisma/hosts/session-hosts';
import { createSession } from '../../../prisma/session/sessions';
import { anInstanceOn, grantMove } from '../activities/moves/granted-move';
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

it.each([{ about: 'an instance' }, { about: 'the whole host' }])(
  'shows that a project has replaced its answer about $about',
  async ({ about }) => {
    const { db } = database;
    const { beginner } = await grantMove(db, anInstanceOn('a'), { phase: 'asked' });
    const { sessionId, hostname, claimId } = beginner;
    const question = { state: 'PLANNED_MAINTENANCE', instanceIds: [], allowedActions: [], windowSeconds: 60 };
    const of = about === 'an instance' ? { claimId } : {};
    const asked = { sessionId, hostname, projectId: randomUUID(), messageId: randomUUID(), ...of, ...question };
    const answeredAt = new Date(Date.now() - 5_000);
    const { id } = await db.question.create({ data: { ...asked, status: 'answered', answer: 'NACK', answeredAt } });
    const look = async () => (await lookAtAttended(db, [{ sessionId, hostname }]))[0]?.questions;
    const before = await look();
    await db.question.update({ where: { id }, data: { answer: 'ACK', answeredAt: new Date() } });
    expect(await look()).not.toEqual(before);
  },
);
