/** The signs of life of workers: who is silent, and since when. */
import { findWorkerSigns, recordEnd, recordSign } from '../../../prisma/upkeep/worker-signs';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

it('a worker that has ended is silent at once, and those of yesterday are forgotten', async () => {
  const { db } = database;
  for (const identity of ['1@a', '2@b']) await recordSign(db, identity);
  await recordSign(db, '1@a');
  await db.$executeRaw`INSERT INTO worker_sign VALUES ('3@c', now() - interval '2 days')`;
  await recordEnd(db, '2@b');
  const silent = new Map((await findWorkerSigns(db)).map((sign) => [sign.identity, sign.silentSeconds]));
  expect([...silent.keys()].sort()).toEqual(['1@a', '2@b']);
  expect(silent.get('1@a')).toBeLessThan(600);
  expect(silent.get('2@b')).toBeGreaterThanOrEqual(3_600);
});
