/** Which run of a workflow may write: an open one, and of a session that is not done. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { tendHost } from '../../../../activities/hosts/host-orders';
import type { Services } from '../../../../activities/services';
import { createSessionActivities } from '../../../../activities/session/session-activities';
import { cleanupWorkflowId, hostWorkflowId } from '../../../../temporal/workflow-messages';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn } from '../moves/granted-move';
import { recordRun, runAs } from './recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

type Status = 'RUNNING' | 'TERMINATED' | 'FAILED';

/** Temporal's description of the last run of each workflow that it knows. */
const servicesWith = (
  runs: Readonly<Record<string, { readonly runId: string; readonly status: Status }>>,
): Services => {
  const { db } = database;
  const describe = (workflowId: string) => {
    const { runId, status = 'FAILED' } = runs[workflowId] ?? {};
    return Promise.resolve({ runId, status: { name: status }, raw: {} });
  };
  const client = { workflow: { getHandle: (workflowId: string) => ({ describe: () => describe(workflowId) }) } };
  const cloud = aCloudWith(db, { instance: anInstanceOn('c') });
  // The services that these activities need.
  return { db, client, cloud, drafts, logger: pino({ level: 'silent' }) } as unknown as Services;
};

const stateOf = async (id: string) => (await database.db.session.findUniqueOrThrow({ where: { id } })).state;
const refused = 'not the one in force';
const state = 'PLANNED_MAINTENANCE';
const failed = 'MAINTENANCE_FAILED';

describe('a session that has ended', () => {
  const enter = async (before: string, status: Status) => {
    const { sessionId } = await recordRun(database.db, { state: before, prevState: state }, []);
    const runId = randomUUID();
    const activities = createSessionActivities(servicesWith({ [sessionId]: { runId, status } }));
    const entering = runAs({ workflowId: sessionId, runId }, () =>
      activities.enterState({ sessionId, state, eventId: 5 }),
    );
    return { sessionId, entering };
  };

  it.each(['TERMINATED', 'FAILED'] as const)('is not taken over by a run that is %s', async (status) => {
    const { sessionId, entering } = await enter(failed, status);
    await expect(entering).rejects.toThrow(refused);
    expect(await stateOf(sessionId)).toBe(failed);
  });

  it('is not taken over by a run that a reset ended, while the one after it is open', async () => {
    const { sessionId } = await recordRun(database.db, { state: failed, prevState: state }, []);
    const runs = { [sessionId]: { runId: randomUUID(), status: 'RUNNING' } } as const;
    const activities = createSessionActivities(servicesWith(runs));
    const ended = { workflowId: sessionId, runId: randomUUID() };
    const entering = runAs(ended, () => activities.enterState({ sessionId, state, eventId: 5 }));
    await expect(entering).rejects.toThrow(refused);
    expect(await stateOf(sessionId)).toBe(failed);
  });

  it('is taken over by an open run where it has failed', async () => {
    const { sessionId, entering } = await enter(failed, 'RUNNING');
    await entering;
    const session = await database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(session).toMatchObject({ state, prevState: failed });
  });

  it('is not taken over by an open run either where it is done', async () => {
    const { sessionId, entering } = await enter('MAINTENANCE_DONE', 'RUNNING');
    await expect(entering).rejects.toThrow(refused);
    expect(await stateOf(sessionId)).toBe('MAINTENANCE_DONE');
  });

  it('belongs to its cleanup, not to the dead run that was in force before', async () => {
    const { sessionId, run } = await recordRun(database.db, { state }, []);
    const cleanup = { workflowId: cleanupWorkflowId(sessionId), runId: randomUUID() };
    const runs = { [cleanup.workflowId]: { runId: cleanup.runId, status: 'RUNNING' } } as const;
    const activities = createSessionActivities(servicesWith(runs));
    await runAs(cleanup, () => activities.failSession({ sessionId, reason: 'its workflow was ended' }));
    await expect(run(() => activities.enterState({ sessionId, state, eventId: 5 }))).rejects.toThrow(refused);
    expect(await stateOf(sessionId)).toBe(failed);
  });

  it('is left alone by a dead run of its cleanup', async () => {
    const { sessionId } = await recordRun(database.db, { state }, []);
    const cleanup = { workflowId: cleanupWorkflowId(sessionId), runId: randomUUID() };
    const activities = createSessionActivities(servicesWith({}));
    const failing = runAs(cleanup, () => activities.failSession({ sessionId, reason: 'its workflow was ended' }));
    await expect(failing).rejects.toThrow(refused);
    expect(await stateOf(sessionId)).toBe(state);
  });
});

it.each([
  { status: 'TERMINATED', takesOver: false },
  { status: 'RUNNING', takesOver: true },
] as const)('a run of a host that is $status takes the host over: $takesOver', async ({ status, takesOver }) => {
  const { sessionId } = await recordRun(database.db, { state }, [{ hostname: 'a', phase: 'maintained' }]);
  const calling = { workflowId: hostWorkflowId(sessionId, 'a'), runId: randomUUID() };
  const services = servicesWith({ [calling.workflowId]: { runId: calling.runId, status } });
  const tended = runAs(calling, () => tendHost(services, { sessionId, hostname: 'a' }));
  await (takesOver ? tended : expect(tended).rejects.toThrow(refused));
  const { runId } = await database.db.sessionHost.findFirstOrThrow();
  expect(runId === calling.runId).toBe(takesOver);
});
