/** A session that is failing begins nothing, and what it has begun comes to its end. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createHostActivities } from '../../../../activities/hosts/host-activities';
import type { Services } from '../../../../activities/services';
import { createSessionActivities } from '../../../../activities/session/session-activities';
import { findReservations, storeReservations } from '../../../../prisma/moves/reservations';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn } from '../moves/granted-move';
import { recordRun } from './recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const services = (): Services => {
  const { db } = database;
  // The services that these activities need.
  const cloud = aCloudWith(db, { instance: anInstanceOn('c') }, { disableHost: () => Promise.resolve() });
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  return { db, cloud, drafts, workflowCalls, logger: pino({ level: 'silent' }) } as unknown as Services;
};

const marked = { phase: 'maintaining', disabled: true, disabledBefore: false } as const;

it('gives a host back that was to be maintained, and finishes one that is being maintained', async () => {
  const hosts = [
    { ...marked, hostname: 'marked' },
    { ...marked, hostname: 'begun', announcedAt: new Date() },
  ];
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, hosts);
  const { underWork } = await run(() =>
    createSessionActivities(services()).stopWork({ sessionId, how: 'failing', reason: 'host c: failed' }),
  );
  expect(underWork.toSorted()).toEqual(['begun', 'marked']);
  const phases = await database.db.sessionHost.findMany({ orderBy: { hostname: 'asc' }, select: { phase: true } });
  expect(phases.map(({ phase }) => phase)).toEqual(['maintaining', 'releasing']);
});

it.each([
  { situation: 'begins no maintenance while it is failing', stopping: 'failing', announcedAt: null, begins: false },
  { situation: 'begins it otherwise', stopping: null, announcedAt: null, begins: true },
  { situation: 'goes on with what is announced', stopping: 'failing', announcedAt: new Date(), begins: true },
])('$situation', async ({ stopping, announcedAt, begins }) => {
  const session = { state: 'PLANNED_MAINTENANCE', stopping };
  const { sessionId, run } = await recordRun(database.db, session, [{ ...marked, hostname: 'b', announcedAt }]);
  const begun = await run(() => createHostActivities(services()).beginMaintenance({ sessionId, hostname: 'b' }));
  expect(begun).toBe(begins);
});

it('keeps no capacity once it has failed: others use what it had reserved', async () => {
  const { db } = database;
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE' }, []);
  const other = await recordRun(db, { state: 'PLANNED_MAINTENANCE' }, []);
  await storeReservations(db, sessionId, [{ instanceId: randomUUID(), target: 'b' }]);
  await storeReservations(db, other.sessionId, [{ instanceId: randomUUID(), target: 'b' }]);
  await run(() => createSessionActivities(services()).failSession({ sessionId, reason: 'host c: failed' }));
  expect((await findReservations(db)).map((one) => one.sessionId)).toEqual([other.sessionId]);
});
