/** Hosts that refused an instance, as they are kept. */
import { inTransaction, type Transaction } from '../../../../prisma/database';
import { findRefusals, type NewRefusal, recordRefusal } from '../../../../prisma/moves/target-refusals';
import {
  findSessionProgress,
  removeSessionRecords,
  reviveSession,
  type SessionProgress,
} from '../../../../prisma/session/session-progress';
import { anInstanceOn, grantMove } from '../../activities/moves/granted-move';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const web = '39494a5d-9f42-4b3b-b7d9-1d1bd2a1a1b0';
const other = '39494a5d-9f42-4b3b-b7d9-1d1bd2a1a1b1';
const hostThere = { enabled: true, amounts: { VCPU: 8, MEMORY_MB: 1024 }, offers: '', phase: null };

const refuse = (given: Partial<NewRefusal> = {}): Promise<void> =>
  inTransaction(database.db, (tx) =>
    recordRefusal(tx, {
      ...{ instanceId: web, refusalClass: 'web', target: 'a', reason: 'no', hostThere, instancesThere: ['b'] },
      ...given,
    }),
  );

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

it('keeps the last of an instance and a host, in whichever form its ID comes', async () => {
  await refuse();
  await refuse({ instanceId: web.toUpperCase(), reason: 'still no' });
  await refuse({ target: 'c' });
  const found = await findRefusals(database.db, new Date());
  expect(found.map(({ target, reason }) => [target, reason])).toEqual([
    ['a', 'still no'],
    ['c', 'no'],
  ]);
});

it.each([
  { situation: 'once', times: 1, passes: true },
  { situation: 'a second time, while nothing has changed there', times: 2, passes: false },
])('lets one that may pass do so where the host refused $situation: $passes', async ({ times, passes }) => {
  for (let count = 0; count < times; count += 1) await refuse({ passesInSeconds: 60 });
  const [refusal] = await findRefusals(database.db, new Date());
  expect(refusal !== undefined && 'passesAtMs' in refusal).toBe(passes);
});

it('shows none that is forgotten by now, and removes them as others come', async () => {
  await refuse();
  await database.db.targetRefusal.updateMany({ data: { refusedAt: daysAgo(29) } });
  expect(await findRefusals(database.db, new Date())).toHaveLength(1);
  await database.db.targetRefusal.updateMany({ data: { refusedAt: daysAgo(31) } });
  expect(await findRefusals(database.db, new Date())).toEqual([]);
  await refuse({ instanceId: other });
  expect(await database.db.targetRefusal.findMany()).toMatchObject([{ instanceId: other }]);
});

it.each([
  {
    situation: 'goes on after it failed',
    deals: (tx: Transaction, session: SessionProgress) => reviveSession(tx, session),
  },
  { situation: 'is deleted', deals: (tx: Transaction, { id }: SessionProgress) => removeSessionRecords(tx, id) },
])('forgets those of the instances of a session that $situation, and no others', async ({ deals }) => {
  const { db } = database;
  const { claim } = await grantMove(db, { ...anInstanceOn('a'), instanceId: web });
  await refuse({ instanceId: web.toUpperCase() });
  await refuse({ instanceId: other });
  await inTransaction(db, async (tx) => deals(tx, (await findSessionProgress(tx, claim.sessionId))!));
  expect(await findRefusals(db, new Date())).toMatchObject([{ instanceId: other }]);
});
