/** The hold of a host, where the worker dies after each thing that it has written: nothing is lost or told twice. */
import { pino } from 'pino';
import { holdHost } from '../../../../activities/hosts/hold-host';
import type { Services } from '../../../../activities/services';
import { recordRelease } from '../../../../prisma/hosts/release-host';
import type { Release } from '../../../../rules/holds/hold';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const hostname = 'a';
const action = { plugin: 'hold', type: 'host', metadata: { task: 'swap the disk' } } as const;

const aHeldHost = async () => {
  const { db } = database;
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE' }, [
    { hostname, phase: 'maintaining' },
  ]);
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  const services = { db, workflowCalls, drafts, logger: pino({ level: 'silent' }) } as unknown as Services;
  const ref = { sessionId, hostname, position: 0 };
  const hold = () => run(() => holdHost(services, { ref, action })).catch(String);
  const release = (given: Release) => recordRelease(db, { sessionId, hostname }, given);
  const told = () => db.event.count({ where: { sessionId, eventType: 'maintenance.session' } });
  const plugin = () => db.actionPluginInstance.findFirstOrThrow({ where: { sessionId } });
  return { hold, release, told, plugin };
};

it('tells once that a person is waited for, however often it is looked at', async () => {
  const { hold, told, plugin } = await aHeldHost();
  expect([await hold(), await hold(), await hold()]).toEqual(['held', 'held', 'held']);
  expect(await told()).toBe(1);
  expect(await plugin()).toMatchObject({ status: 'running', attempts: 1 });
});

it('stays released where the worker has died after it had recorded that', async () => {
  const { hold, release, plugin } = await aHeldHost();
  await hold();
  expect(await release({ outcome: 'done', note: '' })).toMatchObject({ kind: 'accepted', isChange: true });
  expect(await release({ outcome: 'failed', note: '' })).toMatchObject({ kind: 'accepted', isChange: false });
  expect([await hold(), await hold()]).toEqual([undefined, undefined]);
  expect(await plugin()).toMatchObject({ status: 'done', state: 'released' });
});

it('fails once more where the worker has died before the host has failed', async () => {
  const { hold, release, plugin, told } = await aHeldHost();
  await hold();
  await release({ outcome: 'failed', note: 'no spare part' });
  const failure = expect.stringContaining(
    'hold (host) failed: a person said so at the release: no spare part',
  ) as unknown;
  expect([await hold(), await hold()]).toEqual([failure, failure]);
  expect(await plugin()).toMatchObject({ status: 'failed', attempts: 1 });
  expect(await told()).toBe(1);
});
