/**
 * The waits of workflows when nothing happens, read from their histories, so that no test waits for them. Activities
 * are in memory; they say when to look again.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { NextSteps } from '../../../activities/decisions/decision-activities';
import type { HostOrders } from '../../../activities/hosts/host-orders';
import type { SessionAtStart } from '../../../activities/session/session-activities';
import { type HostInput, type SessionInput, taskQueue, workflowTypes } from '../../../temporal/workflow-messages';
import { eventually } from '../../waiting/eventually';
import { installQuietRuntime } from '../rig/temporal-runtime';
import { startWorkersInMemory } from './workers-in-memory';

const lookAgainMs = 12_345_000;
const untilStartMs = 123_000;

const opening: SessionAtStart = {
  workflow: 'default',
  initialState: 'START_MAINTENANCE',
  hasDownloads: false,
  isToBeAborted: false,
  metadata: {},
  cancelGraceSeconds: 60,
};
const orders: HostOrders = { kind: 'empty', actions: [], report: false, lookAgainMs };
const plan: NextSteps = { underWork: [], awaitedProjects: [], lookAgainMs, unpublished: false };
const nothing = () => Promise.resolve();

const laterSession = randomUUID();

const activities = {
  openSession: () => Promise.resolve(opening),
  lookAtStart: ({ sessionId }: SessionInput) => Promise.resolve(sessionId === laterSession ? untilStartMs : 0),
  recordSetUp: nothing,
  enterState: nothing,
  publishEvents: nothing,
  listPlugins: () => Promise.resolve([]),
  planAndAdmit: () => Promise.resolve(plan),
  disableHost: nothing,
  attendHost: () => Promise.resolve(orders),
  sweepOnce: nothing,
};

installQuietRuntime();

let client: Client;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ client, stop } = await startWorkersInMemory(activities));
});
afterAll(() => stop());

interface Timer {
  readonly lengthMs: number;
}

/** The first timer of the workflow, which ends there. */
const firstTimerOf = async (type: string, input?: SessionInput | HostInput): Promise<Timer> => {
  const workflowId = input?.sessionId ?? randomUUID();
  const args = input === undefined ? [] : [input];
  const handle = await client.workflow.start(type, { taskQueue, workflowId, args });
  const timer = await eventually(`${type} waits`, async () => {
    const { events } = await handle.fetchHistory();
    const started = events?.find(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
    if (!started) return undefined;
    const lengthMs = toMs(started.timerStartedEventAttributes?.startToFireTimeout);
    return { lengthMs };
  });
  await handle.terminate('its timer has been seen');
  return timer;
};

interface Duration {
  readonly seconds?: { toString(): string } | null;
  readonly nanos?: number | null;
}

const toMs = (duration: Duration | null | undefined): number =>
  Number(duration?.seconds?.toString() ?? 0) * 1_000 + Math.floor((duration?.nanos ?? 0) / 1_000_000);

it('a session looks again at its hosts when its plan says so', async () => {
  const { lengthMs } = await firstTimerOf(workflowTypes.session, { sessionId: randomUUID() });
  expect(lengthMs).toBe(lookAgainMs);
});

it('a host looks again at its orders when they say so', async () => {
  const { lengthMs } = await firstTimerOf(workflowTypes.host, { sessionId: randomUUID(), hostname: 'compute-1' });
  expect(lengthMs).toBe(lookAgainMs);
});

it('a session looks at its start when that is to come', async () => {
  const { lengthMs } = await firstTimerOf(workflowTypes.session, { sessionId: laterSession });
  expect(lengthMs).toBe(untilStartMs);
});

it('the sweeper comes again after a quarter of a minute', async () => {
  expect((await firstTimerOf(workflowTypes.sweep)).lengthMs).toBe(15_000);
});
