/** The end of a session that is aborted or deleted: its work stops first. Activities are in memory. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { HostRef } from '../../../prisma/hosts/session-hosts';
import { abortSession, taskQueue, wakeUp, workflowTypes } from '../../../temporal/workflow-messages';
import { eventually } from '../../waiting/eventually';
import { installQuietRuntime } from '../rig/temporal-runtime';
import { startWorkersInMemory, type WorkersInMemory } from './workers-in-memory';

const [lookAgainMs, hostname] = [12_345_000, 'compute-1'];

installQuietRuntime();

let client: Client;
let stop: WorkersInMemory['stop'];
/** What was done, in its order. */
let done: string[];
beforeEach(() => {
  done = [];
});

const note = <T>(what: string, result: T): Promise<T> => {
  done.push(what);
  return Promise.resolve(result);
};
const nothing = () => Promise.resolve();

const opening = {
  ...{ workflow: 'default', initialState: 'START_MAINTENANCE', hasDownloads: false, isToBeAborted: false },
  ...{ metadata: {}, cancelGraceSeconds: 60 },
};

/** One host is under work until its own workflow has come to its end. */
const activities = {
  openSession: () => Promise.resolve(opening),
  openCleanup: () => Promise.resolve({ kind: 'delete' }),
  lookAtStart: () => Promise.resolve(0),
  recordSetUp: nothing,
  enterState: nothing,
  publishEvents: nothing,
  listPlugins: () => Promise.resolve([]),
  planAndAdmit: () => note('decide', { underWork: [], awaitedProjects: [], lookAgainMs, unpublished: false }),
  takeUpAbort: () => Promise.resolve(true),
  disableHost: nothing,
  attendHost: async ({ sessionId }: HostRef) => {
    const over = await note('end the work on the host', { kind: 'over', lookAgainMs });
    await client.workflow.getHandle(sessionId).signal(wakeUp);
    return over;
  },
  stopWork: () => {
    const underWork = done.includes('end the work on the host') ? [] : [hostname];
    return Promise.resolve({ underWork, how: 'aborting', isToBeDeleted: true });
  },
  reconcileSession: () => note('compare claims with the cloud', undefined),
  removeSession: () => note('remove the session', 'removed'),
};

beforeAll(async () => {
  ({ client, stop } = await startWorkersInMemory(activities));
});
afterAll(() => stop());

const inOrder = ['end the work on the host', 'compare claims with the cloud', 'remove the session'];

const start = (type: string) => {
  const sessionId = randomUUID();
  return client.workflow.start(type, { taskQueue, workflowId: sessionId, args: [{ sessionId }] });
};

it('a session whose workflow is gone is deleted when the work on its hosts has ended', async () => {
  const cleanup = await start(workflowTypes.cleanup);
  expect(await cleanup.result()).toBe('DELETED');
  expect(done).toEqual(inOrder);
});

it('an abort ends the work of a session that waits', async () => {
  const session = await start(workflowTypes.session);
  await eventually('it has decided', () => Promise.resolve(done.includes('decide') || undefined));
  await session.executeUpdate(abortSession);
  // One that goes on decides again instead.
  await eventually('something follows', () => Promise.resolve(done.length > 1 || undefined));
  expect(done[1]).toBe(inOrder[0]);
  expect(await session.result()).toBe('DELETED');
  expect(done.slice(1)).toEqual(inOrder);
});
