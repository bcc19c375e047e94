/** What a process that stands still can hold up. */
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

it.each(['lock_timeout', 'idle_in_transaction_session_timeout'])('the connections bound %s', async (limit) => {
  const rows = await database.db.$queryRaw<{ value: string }[]>`SELECT current_setting(${limit}) AS value`;
  expect(rows).toEqual([{ value: '30s' }]);
});
