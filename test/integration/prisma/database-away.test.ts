/** Errors after which a caller may come back: lost connections, with or without a word, and locks that were not had. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Database, inTransaction, openDatabase, type Queryable, type Transaction } from '../../../prisma/database';
import { isDatabaseAway, troubleOf } from '../../../prisma/database-trouble';
import { eventually } from '../../waiting/eventually';
import { aGate } from '../events/a-gate';
import { type Relay, startRelay } from '../rig/relay';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

const limits = { connectionMs: 500, transactionMs: 500 };

let database: TestDatabase;
let relay: Relay;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const { host } = new URL(database.url);
  relay = await startRelay(`http://${host}`);
  const relayed = new URL(database.url);
  relayed.host = new URL(relay.url).host;
  db = openDatabase({ url: relayed.href, poolSize: 1, limits });
});
afterAll(async () => {
  await db.$disconnect();
  await relay.close();
  await database.drop();
});

const sleep = (on: Queryable) => on.$executeRaw`SELECT pg_sleep(0.3)`;

const untilAsleep = () =>
  eventually('the statement is under way', async () => {
    const rows = await database.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    return rows.length > 0 || undefined;
  });

const losses = {
  silent: () => relay.fallSilent(),
  cut: async () => {
    await relay.goAway();
    await relay.comeBack();
  },
} as const;
const askers = { alone: () => sleep(db), 'in a transaction': () => inTransaction(db, sleep) } as const;

it.each([
  { loss: 'silent', asked: 'alone' },
  { loss: 'silent', asked: 'in a transaction' },
  { loss: 'cut', asked: 'alone' },
  { loss: 'cut', asked: 'in a transaction' },
] as const)('a statement $asked fails when its connection is $loss, and the next has another', async (given) => {
  const outcome = Promise.allSettled([askers[given.asked]()]);
  await untilAsleep();
  await losses[given.loss]();
  const [statement] = await outcome;
  expect(statement).toMatchObject({ status: 'rejected' });
  expect(isDatabaseAway(statement.status === 'rejected' ? statement.reason : undefined)).toBe(true);
  await expect(inTransaction(db, (tx) => tx.$queryRaw`SELECT 1 AS one`)).resolves.toEqual([{ one: 1 }]);
});

it('a server that takes connections and says nothing counts as away', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = new URL(database.url);
  url.port = String((silent.address() as { readonly port: number }).port);
  const away = openDatabase({ url: url.href, limits });
  const error: unknown = await sleep(away).catch((reason: unknown) => reason);
  silent.close();
  await away.$disconnect();
  expect(isDatabaseAway(error)).toBe(true);
});

it.each([
  {
    written: 'as text',
    lock: (tx: Transaction, group: string) => tx.$executeRaw`
      UPDATE group_constraint SET group_name = 'new' WHERE group_id = ${group}`,
  },
  {
    written: 'by Prisma',
    lock: (tx: Transaction, groupId: string) =>
      tx.groupConstraint.updateMany({ where: { groupId }, data: { groupName: 'new' } }),
  },
])('a deadlock of statements written $written counts as away', async ({ written, lock }) => {
  const groups = ['one', 'two'].map((name) => `${name} ${written}`);
  const limits = { antiAffinityGroup: false, maxInstancesPerHost: 1, maxImpactedMembers: 1, recoveryTime: 1 };
  for (const groupId of groups) {
    const group = { groupId, groupName: groupId, projectId: 'project', resourceMitigation: false, ...limits };
    await database.db.groupConstraint.create({ data: group });
  }
  const meeting = aGate();
  let holding = 0;
  const lockBoth = (order: readonly string[]) =>
    inTransaction(database.db, async (tx) => {
      const [first = '', second = ''] = order;
      await lock(tx, first);
      holding += 1;
      if (holding === groups.length) meeting.open();
      await meeting.passed;
      await lock(tx, second);
    });
  const outcomes = await Promise.allSettled([lockBoth(groups), lockBoth(groups.toReversed())]);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(failed.map(({ reason }) => isDatabaseAway(reason))).toEqual([true]);
});

describe('a database that refuses', () => {
  const name = () => new URL(database.url).pathname.slice(1);
  const elsewhere = (change: (url: URL) => void): string => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };
  const onServer = async (statement: string): Promise<void> => {
    const server = openDatabase({ url: elsewhere((url) => (url.pathname = '/postgres')), poolSize: 1 });
    await server.$executeRawUnsafe(statement);
    await server.$disconnect();
  };

  it.each([
    { refusal: 'the role', url: () => elsewhere((url) => (url.username = 'nobody-here')), words: 'refuses the user' },
    {
      refusal: 'its name',
      url: () => elsewhere((url) => (url.pathname = '/none')),
      words: 'does not have the database',
    },
    { refusal: 'TLS', url: () => `${database.url}?sslmode=verify-full`, words: 'could not agree on TLS' },
    {
      refusal: 'connections',
      url: () => database.url,
      begin: () => onServer(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS false`),
      end: () => onServer(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS true`),
      words: 'does not accept connections',
    },
    {
      refusal: 'writes',
      url: () => database.url,
      begin: () => onServer(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`),
      end: () => onServer(`ALTER DATABASE ${name()} RESET default_transaction_read_only`),
      words: 'only reads',
    },
  ])('$refusal counts as away, and says why', async ({ url, words, begin, end }) => {
    await begin?.();
    const refusing = openDatabase({ url: url(), poolSize: 1 });
    const write = (on: Queryable) => on.groupConstraint.deleteMany({ where: { groupKey: 'none' } });
    const outcomes = await Promise.allSettled([write(refusing), inTransaction(refusing, write)]);
    await refusing.$disconnect();
    await end?.();
    for (const outcome of outcomes) {
      expect(troubleOf(outcome.status === 'rejected' ? outcome.reason : undefined)).toContain(words);
    }
  });
});
