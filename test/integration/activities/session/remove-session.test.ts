/** The end of a deletion: what is left of the session, and what keeps it. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Services } from '../../../../activities/services';
import { createSessionActivities } from '../../../../activities/session/session-activities';
import { createPublisher } from '../../../../events/publisher';
import { inTransaction } from '../../../../prisma/database';
import { removeSessionRecords } from '../../../../prisma/session/session-progress';
import type { CloudHost } from '../../../../rules/cloud/cloud-facts';
import { drafts, recordProgress, recordQuestion } from '../../events/recorded-facts';
import { createRecordingBus, messageIdsOf } from '../../events/recording-bus';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, targetFor } from '../moves/granted-move';
import { recordRun } from './recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const logger = pino({ level: 'silent' });

it('takes questions with it that nobody has heard of, and no other events', async () => {
  const { db } = database;
  const { sessionId } = await recordRun(db, { deleteRequestedAt: new Date() }, []);
  await recordQuestion(db, { sessionId });
  const progress = await recordProgress(db, sessionId, 50);
  await inTransaction(db, (tx) => removeSessionRecords(tx, sessionId));
  const bus = createRecordingBus();
  const names = { serviceName: 'parley', projectEventType: 'maintenance.planned' };
  await createPublisher({ db, bus, names, logger }).publishLeftOvers();
  expect(messageIdsOf(bus.messages)).toEqual([progress]);
});

describe('a host that could not be enabled', () => {
  const failed = {
    ...{ hostname: 'b', phase: 'failed', disabled: true, disabledBefore: false },
    failure: 'host b could not be enabled: no',
  };
  const remove = async (
    listed: (sessionId: string) => readonly CloudHost[],
    host: typeof failed & { readonly skipReason?: string } = failed,
  ) => {
    const { db } = database;
    const session = { state: 'MAINTENANCE_FAILED', stopping: 'aborting', deleteRequestedAt: new Date() };
    const { sessionId, run } = await recordRun(db, session, [host]);
    const listHosts = () => Promise.resolve([...listed(sessionId)]);
    const cloud = aCloudWith(db, { instance: anInstanceOn('a') }, { listHosts });
    const downloads = { remove: () => Promise.resolve() };
    // The services that this activity needs.
    const services = { db, cloud, drafts, downloads, logger } as unknown as Services;
    const activities = createSessionActivities(services);
    const removal = await run(() => activities.removeSession({ sessionId }));
    return { sessionId, run, activities, removal };
  };
  const disabledFor = (reason: string) => ({ ...targetFor(1), enabled: false, disabledReason: reason });

  it('keeps its session, which says so and gives the host back once more', async () => {
    const kept = await remove((sessionId) => [disabledFor(`maintenance session ${sessionId}`)]);
    const { sessionId, run, activities, removal } = kept;
    expect(removal).toBe('kept');
    const { deletedAt, failure } = await database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(deletedAt).toBeNull();
    expect(failure).toMatch(/not deleted yet: host b could not be enabled: no; tried again/);
    await run(() => activities.stopWork({ sessionId, how: 'aborting' }));
    expect(await database.db.sessionHost.findFirst()).toMatchObject({ phase: 'releasing' });
  });

  it('goes with its session where it was set aside to stay disabled', async () => {
    const setAside = { ...failed, phase: 'set_aside' };
    const { removal } = await remove((sessionId) => [disabledFor(`maintenance session ${sessionId}`)], setAside);
    expect(removal).toBe('removed');
    expect(await database.db.sessionHost.findFirst()).toMatchObject({ phase: 'set_aside', disabled: true });
  });

  it('is given back where its session enables failed hosts by now', async () => {
    const setAside = { ...failed, phase: 'set_aside' };
    const { sessionId, run, activities } = await remove(() => [], setAside);
    const enabling = { failedHosts: 'enable', deletedAt: null, stopping: null };
    await database.db.session.update({ where: { id: sessionId }, data: enabling });
    await run(() => activities.stopWork({ sessionId, how: 'aborting' }));
    expect(await database.db.sessionHost.findFirst()).toMatchObject({ phase: 'releasing' });
  });

  it('keeps its session, and is given back, where its admin has skipped it since it was set aside', async () => {
    const skipped = { ...failed, phase: 'set_aside', skipReason: 'skipped by an admin' };
    const kept = await remove((sessionId) => [disabledFor(`maintenance session ${sessionId}`)], skipped);
    expect(kept.removal).toBe('kept');
    await kept.run(() => kept.activities.stopWork({ sessionId: kept.sessionId, how: 'aborting' }));
    expect(await database.db.sessionHost.findFirst()).toMatchObject({ phase: 'releasing', disabled: true });
  });

  it.each([
    { situation: 'enabled by hand', listed: [targetFor(1)] },
    { situation: 'disabled by somebody else', listed: [disabledFor(`maintenance session ${randomUUID()}`)] },
    { situation: 'gone', listed: [] },
  ])('keeps nothing once it is $situation', async ({ listed }) => {
    const { sessionId, removal } = await remove(() => listed);
    expect(removal).toBe('removed');
    const { deletedAt } = await database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(deletedAt).not.toBeNull();
  });
});
