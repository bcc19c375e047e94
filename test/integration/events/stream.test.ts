import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { noBus } from '../../../events/open-bus';
import { createPublisher } from '../../../events/publisher';
import { newestOfProjects, newestPosition, readEvents, type StreamedEvent } from '../../../events/stream';
import { openDatabase } from '../../../prisma/database';
import { idOf } from '../../../rules/cloud/id';
import { specifiedNames } from '../../builders/wire-names';
import { createTestDatabase } from '../setup/test-database';
import { recordManyEvents, recordProgress, recordQuestion, recordSession } from './recorded-facts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.db.event.deleteMany());

const aPublisher = () =>
  createPublisher({ db: database.db, bus: noBus, names: specifiedNames, logger: pino({ level: 'silent' }) });

const read = ({
  projectId = null,
  ...query
}: { afterPosition?: bigint; projectId?: string | null; limit?: number } = {}): Promise<StreamedEvent[]> =>
  readEvents(database.db, {
    ...{ afterPosition: 0n, limit: 100, names: specifiedNames, ...query },
    projectId: projectId === null ? null : idOf(projectId),
  });

const idsOf = (events: readonly StreamedEvent[]): string[] => events.map(({ envelope }) => envelope.message_id);

describe('the stream', () => {
  it('shows published events, oldest first, as the envelopes that the bus gets', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 3);
    await aPublisher().publish(sessionId);
    const events = await read();
    expect(idsOf(events)).toEqual(recorded);
    expect(events[0]!.envelope).toMatchObject({
      priority: 'info',
      publisher_id: 'parley',
      payload: { percent_done: 0 },
    });
  });

  it('does not show an event before it has its place', async () => {
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    expect(await read()).toEqual([]);
  });

  it('goes on behind a position, a limited number at a time', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 5);
    await aPublisher().publish(sessionId);
    const first = await read({ limit: 2 });
    const rest = await read({ afterPosition: first[1]!.position });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(recorded);
  });

  it('shows a project its own events only', async () => {
    const sessionId = await recordSession(database.db);
    const projectId = randomUUID();
    await recordProgress(database.db, sessionId, 0);
    await recordQuestion(database.db, { sessionId });
    const own = await recordQuestion(database.db, { sessionId, projectId });
    await aPublisher().publish(sessionId);
    expect(idsOf(await read({ projectId }))).toEqual([own]);
  });

  it('knows its newest position, 0 while it is empty', async () => {
    expect(await newestPosition(database.db)).toBe(0n);
    const sessionId = await recordSession(database.db);
    await recordManyEvents(database.db, sessionId, 2);
    await aPublisher().publish(sessionId);
    expect(await newestPosition(database.db)).toBe((await read()).at(-1)!.position);
  });
});

it('knows the newest event of each project after a position', async () => {
  const sessionId = await recordSession(database.db);
  const projectId = randomUUID();
  await recordQuestion(database.db, { sessionId, projectId, status: 'closed' });
  await recordQuestion(database.db, { sessionId, projectId });
  await recordProgress(database.db, sessionId, 0);
  await aPublisher().publish(sessionId);
  const [first, second, last] = (await read()).map(({ position }) => position);
  const { key } = idOf(projectId);
  expect(await newestOfProjects(database.db, 0n)).toEqual(
    new Map([
      [key, second],
      [null, last],
    ]),
  );
  expect(await newestOfProjects(database.db, first!)).toEqual(await newestOfProjects(database.db, 0n));
  expect(await newestOfProjects(database.db, second!)).toEqual(new Map([[null, last]]));
  expect(await newestOfProjects(database.db, last!)).toEqual(new Map());
});

describe('a reader that goes on behind the newest event it has seen', () => {
  const sessions = 12;
  const eventsEach = 15;

  /** Reads until all that is recorded has been published, and nothing is left to see after that. */
  const readToTheEnd = async (count: number): Promise<StreamedEvent[]> => {
    const reader = openDatabase({ url: database.url, poolSize: 1 });
    const seen: StreamedEvent[] = [];
    const readOn = async (): Promise<number> => {
      const afterPosition = seen.at(-1)?.position ?? 0n;
      const next = await readEvents(reader, { afterPosition, projectId: null, limit: 7, names: specifiedNames });
      seen.push(...next);
      return next.length;
    };
    while ((await reader.event.count({ where: { publishedAt: { not: null } } })) < count) await readOn();
    while ((await readOn()) > 0);
    await reader.$disconnect();
    return seen;
  };

  const publishOneByOne = async (sessionId: string): Promise<string[]> => {
    const publisher = aPublisher();
    const recorded: string[] = [];
    for (let event = 0; event < eventsEach; event += 1) {
      recorded.push(await recordProgress(database.db, sessionId, event));
      await publisher.publish(sessionId);
    }
    return recorded;
  };

  it('misses none and sees each session in order while many sessions publish at once', async () => {
    const sessionIds = await Promise.all(Array.from({ length: sessions }, () => recordSession(database.db)));
    const [seen, ...recorded] = await Promise.all([
      readToTheEnd(sessions * eventsEach),
      ...sessionIds.map(publishOneByOne),
    ]);
    const seenOf = (sessionId: string) => seen.filter(({ envelope }) => envelope.payload['session_id'] === sessionId);
    expect(sessionIds.map((sessionId) => idsOf(seenOf(sessionId)))).toEqual(recorded);
  });
});
