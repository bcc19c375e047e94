/** A round of the sweeper: beside a cloud that does not answer, and for hosts that nobody works on. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { pino } from 'pino';
import { clearHostsGivenBack } from '../../../../activities/hosts/clear-host';
import type { Services } from '../../../../activities/services';
import { createSweepActivities } from '../../../../activities/upkeep/sweep-activities';
import { hostWorkflowId } from '../../../../temporal/workflow-messages';
import { eventually } from '../../../waiting/eventually';
import { aGate } from '../../events/a-gate';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, grantMove } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const silent = pino({ level: 'silent' });
const limits = { auditDays: 365, eventDays: 90, deletedSessionDays: 90, goneConstraintDays: 365 };

const others = { limits, actionPlugins: new Map() };

type Beginner = Awaited<ReturnType<typeof grantMove>>['beginner'];

/** Ways in which nobody works on a claim any more. */
const leave: Readonly<Record<string, (beginner: Beginner) => Promise<unknown>>> = {
  'of a session that has failed': ({ sessionId: id }) =>
    database.db.session.update({ where: { id }, data: { state: 'MAINTENANCE_FAILED' } }),
  'from a host that a session, continued while the cloud was away, has not in hand': ({ sessionId, hostname }) =>
    database.db.sessionHost.updateMany({ where: { sessionId, hostname }, data: { phase: 'waiting' } }),
};

const leftUnderWay = async (how: string): Promise<string> => {
  const { beginner } = await grantMove(database.db, anInstanceOn('a'), { startedAt: new Date() });
  await leave[how]?.(beginner);
  return beginner.claimId;
};

it.each(Object.keys(leave))('publishes what is left over, and ends moves %s', async (how) => {
  const { db } = database;
  const claims = [await leftUnderWay(how), await leftUnderWay(how)];
  const asked: string[] = [];
  const cloud = aCloudWith(
    db,
    { instance: anInstanceOn('a') },
    {
      observeMove: ({ claimId }) => {
        asked.push(claimId);
        return asked.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve({ kind: 'done', host: 'b' });
      },
    },
  );
  const noSuchWorkflow = () => Promise.reject(new WorkflowNotFoundError('none', 'host', undefined));
  const client = { workflow: { getHandle: () => ({ describe: noSuchWorkflow }) } };
  const publishLeftOvers = jest.fn(() => Promise.resolve());
  // The services that the sweeper needs here.
  const services = { db, cloud, client, drafts, publisher: { publishLeftOvers }, logger: silent, ...others };
  await createSweepActivities(services as unknown as Services).sweepOnce();
  expect(publishLeftOvers).toHaveBeenCalledTimes(1);
  expect(asked.toSorted()).toEqual(claims.toSorted());
  const [first, second] = asked;
  const outcomeOf = async (id = '') => (await db.claim.findUniqueOrThrow({ where: { id } })).outcome;
  expect([await outcomeOf(first), await outcomeOf(second)]).toEqual([null, 'done']);
});

it.each([
  { state: 'PLANNED_MAINTENANCE', session: 'RUNNING', started: ['dead'] },
  { state: 'SCALE_IN', session: 'RUNNING', started: ['dead'] },
  { state: 'MAINTENANCE_COMPLETE', session: 'RUNNING', started: ['dead'] },
  { state: 'PLANNED_MAINTENANCE', session: 'TERMINATED', started: [] },
])(
  'starts the workflow of each host under work that has none in state $state, and of no other (session: $session)',
  async ({ state, session, started }) => {
    const { db } = database;
    const { sessionId } = await recordRun(db, { state, startedAt: new Date() }, [
      { hostname: 'dead', phase: 'maintaining', announcedAt: new Date() },
      { hostname: 'alive', phase: 'maintaining', announcedAt: new Date() },
      { hostname: 'maintained', phase: 'maintained' },
    ]);
    const describe = (workflowId: string) => {
      const ended: Readonly<Record<string, string>> = {
        [hostWorkflowId(sessionId, 'dead')]: 'TERMINATED',
        [sessionId]: session,
      };
      const name = ended[workflowId] ?? 'RUNNING';
      return Promise.resolve({ runId: 'run', status: { name }, raw: {} });
    };
    const client = { workflow: { getHandle: (workflowId: string) => ({ describe: () => describe(workflowId) }) } };
    const startHost = jest.fn(() => Promise.resolve());
    const publisher = { publishLeftOvers: () => Promise.resolve() };
    const cloud = aCloudWith(db, { instance: anInstanceOn('a') });
    // The services that the sweeper needs here.
    const services = { db, cloud, client, workflowCalls: { startHost }, publisher, logger: silent, ...others };
    await createSweepActivities(services as unknown as Services).sweepOnce();
    expect(startHost.mock.calls).toEqual(started.map((hostname) => [sessionId, hostname]));
  },
);

it('removes what plug-ins have left on hosts that no session of ours holds any more', async () => {
  const { db } = database;
  const { sessionId } = await recordRun(db, { state: 'MAINTENANCE_DONE' }, [
    { hostname: 'under-work', phase: 'maintaining' },
    { hostname: 'failed', phase: 'set_aside', disabled: true },
    { hostname: 'given-back', phase: 'maintained' },
  ]);
  const removed: string[] = [];
  const leftOn = (hostname: string, ofSession = sessionId) => ({
    ...{ sessionId: ofSession, hostname, name: `Job on ${hostname}` },
    remove: () => Promise.resolve(removed.push(hostname)),
  });
  const ofOthers = leftOn('of-others', 'aaaaaaaa-0000-4000-8000-000000000000');
  const left = [...['under-work', 'failed', 'given-back', 'unknown'].map((name) => leftOn(name)), ofOthers];
  const actionPlugins = new Map([
    ['reboot', { findLeft: () => Promise.resolve(left) }],
    ['dummy', {}],
  ]);
  const services = { db, actionPlugins, logger: silent } as unknown as Services;
  await clearHostsGivenBack(services);
  expect(removed).toEqual(['given-back', 'unknown']);
});

describe('beside a part that does not end', () => {
  const running = { runId: 'run', status: { name: 'RUNNING' }, raw: {} };
  const client = { workflow: { getHandle: () => ({ describe: () => Promise.resolve(running) }) } };

  const sweep = (publishLeftOvers: () => Promise<void>, listHosts: () => Promise<never[]>): Promise<void> => {
    const { db } = database;
    const cloud = aCloudWith(db, { instance: anInstanceOn('a') }, { listHosts });
    // The services that the sweeper needs here.
    const services = { db, cloud, client, drafts, publisher: { publishLeftOvers }, logger: silent, ...others };
    return createSweepActivities(services as unknown as Services).sweepOnce();
  };
  const called = (part: jest.Mock) => () => Promise.resolve(part.mock.calls.length > 0 || undefined);

  it('publishes what is left over while the cloud does not answer', async () => {
    const publishLeftOvers = jest.fn(() => Promise.resolve());
    const cloud = aGate();
    const swept = sweep(publishLeftOvers, () => cloud.passed.then(() => []));
    await eventually('events are published', called(publishLeftOvers));
    cloud.open();
    await swept;
  });

  it('compares hosts with what is on record while the bus takes no events', async () => {
    const listHosts = jest.fn(() => Promise.resolve([]));
    const bus = aGate();
    const swept = sweep(() => bus.passed, listHosts);
    await eventually('hosts are compared', called(listHosts));
    bus.open();
    await swept;
  });

  it('fails where events could not be published, once the rest is done', async () => {
    const listHosts = jest.fn(() => Promise.resolve([]));
    await expect(sweep(() => Promise.reject(new Error('the bus is away')), listHosts)).rejects.toThrow('is away');
    expect(listHosts).toHaveBeenCalledTimes(1);
  });
});
