/**
 * An operator's view of sessions in Temporal Web UI: its list filtered by state, host and project. A session fails on
 * two hosts while an instance of a third one is moving: all of it is visible, in all three places, and in the log.
 */
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import { cleanupWorkflowId, hostWorkflowId, searchAttributes } from '../../../temporal/workflow-messages';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { eventually } from '../../waiting/eventually';
import { untilFailed, untilIt } from '../continue/continued-session';
import { failureEvent, failureInTemporal, hostsLeftDisabled } from '../continue/session-facts';
import { aGate } from '../events/a-gate';
import { type Admin, anAdmin } from '../rig/admin';
import { endMove, held, timeForHeldMoves } from '../rig/held-moves';
import { heldUntil } from '../rig/held-plugin';
import { type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';

const mover = uuidNumber(900);
const movingId = uuidNumber(1);
const crowd = Array.from({ length: 45 }, (_, n) => ({
  projectId: uuidNumber(901 + n),
  instanceId: uuidNumber(101 + n),
}));

const tiny = { vcpus: 1, memory_mb: 1, maintenance_s: 20 };
const small = { vcpus: 2, memory_mb: 4096, maintenance_s: 20 };

const fleet = aFleetFile({
  hosts: [
    ...['fails-1', 'fails-2', 'early', 'dead-1', 'dead-2'].map((name) => aFleetHost({ name, ...tiny })),
    ...['moves', 'takes'].map((name) => aFleetHost({ name, ...small })),
    // Its instances fit nowhere else.
    aFleetHost({ name: 'crowded', vcpus: 45, memory_mb: 450_000 }),
  ],
  instances: [
    aFleetInstance({
      instance_id: movingId,
      instance_name: 'vm',
      project_id: mover,
      host: 'moves',
      ...held,
      fail_moves: 1,
    }),
    ...crowd.map(({ projectId, instanceId }, n) =>
      aFleetInstance({
        instance_id: instanceId,
        instance_name: `crowd-${n}`,
        project_id: projectId,
        host: 'crowded',
        vcpus: 1,
        memory_mb: 10_000,
      }),
    ),
  ],
});

/** The order of happenings: plug-in and manager wait for it. */
const told = { answer: false, 'fails-1': false, 'fails-2': false };
type Told = keyof typeof told;
const untilTold = (what: Told) => eventually(`${what} is told`, () => Promise.resolve(told[what] || undefined));

const breaks: ActionPlugin = {
  name: 'breaks',
  async run({ host }) {
    const name = host!.name as 'fails-1' | 'fails-2';
    await untilTold(name);
    throw new ActionPluginFailure(`the firmware of ${name} is not signed`);
  },
};

const terminated = aGate();
const untilTerminated = heldUntil('until-terminated', () => terminated.passed);

let rig: Rig;
let admin: Admin;
let manager: Manager;
const logLines: string[] = [];

beforeAll(async () => {
  rig = await startRig({
    fleet,
    actionPlugins: [breaks, untilTerminated],
    log: (line) => logLines.push(line),
    // Nobody waits for the end of these.
    environment: {
      PARLEY_PROJECT_REPLY_SECONDS: '600',
      ...timeForHeldMoves,
    },
  });
  admin = anAdmin(rig.url);
  manager = startManager({
    url: rig.url,
    projectId: mover,
    async policy({ state }) {
      if (state !== 'MAINTENANCE') await untilTold('answer');
      return { answer: 'ACK' };
    },
  });
});
afterAll(async () => {
  manager.stop();
  await rig.stop();
});

interface LogLine {
  readonly msg: string;
}

/** Jest's own comparison, as a question. */
const isLike = (line: LogLine, wanted: object): boolean => {
  try {
    expect(line).toEqual(wanted);
    return true;
  } catch {
    return false;
  }
};

/** Waits until the list that Web UI shows for the query has the workflow in it. */
const untilListed = (query: string, workflowId: string) =>
  eventually(`the list of ${query} has ${workflowId}`, async () => {
    for await (const workflow of rig.client.workflow.list({ query })) {
      if (workflow.workflowId === workflowId) return workflow;
    }
    return undefined;
  });

describe('a session that fails on two hosts while an instance of a third one is moving', () => {
  let sessionId: string;

  it('is listed by its state and by the project that it waits for, its hosts by their names', async () => {
    const actions = [{ plugin: 'breaks', type: 'host' }];
    sessionId = await admin.create({ workflow: 'vnf', hosts: ['fails-1', 'fails-2', 'moves'], actions });
    await untilListed(`MaintenanceProject = '${mover}' AND MaintenanceState = 'PLANNED_MAINTENANCE'`, sessionId);
    await untilListed("MaintenanceHost = 'fails-1'", hostWorkflowId(sessionId, 'fails-1'));
  });

  it('says in its detail why it is about to fail while other hosts come to their end', async () => {
    told.answer = true;
    await untilIt(admin, { sessionId, what: 'moves' }, ({ instances }) => instances[0]?.['action'] === 'LIVE_MIGRATE');
    told['fails-1'] = true;
    const failing = await untilIt(admin, { sessionId, what: 'fails' }, ({ session }) => session.failure !== null);
    expect(failing.state).toBe('PLANNED_MAINTENANCE');
    expect(failing.session.failure).toMatch(/^host fails-1: action plug-in breaks \(host\) failed: the firmware of/);
  });

  const whole = new RegExp(
    '^host fails-1: action plug-in breaks .host. failed: the firmware of fails-1 is not signed; ' +
      'host fails-2: action plug-in breaks .host. failed: the firmware of fails-2 is not signed ' +
      '.left disabled: fails-1, fails-2.$',
  );

  it('names both hosts and what is left disabled: in detail, as an event and in Temporal', async () => {
    told['fails-2'] = true;
    await endMove(rig.db, { instanceId: movingId }); // this one fails
    await endMove(rig.db, { instanceId: movingId, forced: true });
    const { session } = await untilFailed(admin, sessionId);
    expect(session).toMatchObject({
      prev_state: 'PLANNED_MAINTENANCE',
      failure: expect.stringMatching(whole) as string,
    });
    expect(await failureEvent(rig, sessionId)).toMatchObject({
      prev_state: 'PLANNED_MAINTENANCE',
      failure: session.failure,
    });
    expect(await failureInTemporal(rig, sessionId)).toBe(session.failure);
  });

  it('has let the move in flight end and its host go, and leaves only the broken hosts disabled', async () => {
    const { hosts, instances } = await admin.detail(sessionId);
    expect(instances).toEqual([expect.objectContaining({ host: 'takes', action_done: true })]);
    expect(hosts.map(({ hostname, phase, disabled, details }) => ({ hostname, phase, disabled, details }))).toEqual([
      {
        hostname: 'fails-1',
        phase: 'failed',
        disabled: true,
        details: expect.stringMatching(/^left disabled: .*not signed$/) as string,
      },
      {
        hostname: 'fails-2',
        phase: 'failed',
        disabled: true,
        details: expect.stringMatching(/^left disabled: .*not signed$/) as string,
      },
      { hostname: 'moves', phase: 'waiting', disabled: false, details: '' },
    ]);
    const phases = hosts.map(({ created_at, phase_since }) => [String(created_at), String(phase_since)] as const);
    expect(phases.filter(([created, since]) => since <= created)).toEqual([]);
    expect(await hostsLeftDisabled(rig, ['fails-1', 'fails-2', 'moves', 'takes'])).toEqual(['fails-1', 'fails-2']);
    expect(await rig.db.simMove.count({ where: { status: 'running' } })).toBe(0);
  });

  it('has its story told by the lines of the log that have its ID', () => {
    const lines = logLines.filter((line) => line.includes(sessionId)).map((line) => JSON.parse(line) as LogLine);
    const facts = lines.filter(({ msg }) => msg !== 'request');
    const told = (what: string, fields: object = {}) =>
      expect.objectContaining({ msg: what, sessionId, ...fields }) as object;
    const vm = { host: 'moves', instanceName: 'vm', instanceId: movingId, projectId: mover };
    const seconds = expect.any(Number) as number;
    const because = (text: string) => ({ reason: expect.stringContaining(text) as string });
    for (const inOrder of [
      [
        told('session created', { workflow: 'vnf', firstHosts: ['fails-1', 'fails-2', 'moves'] }),
        told('state entered', { state: 'MAINTENANCE' }),
        told('state entered', { state: 'PLANNED_MAINTENANCE', prevState: 'START_MAINTENANCE', secondsBefore: seconds }),
        told('session stops, failing', because('host fails-1')),
        told('session failed', { level: 50, prevState: 'PLANNED_MAINTENANCE', ...because('left disabled: fails-1') }),
      ],
      [
        told('question asked', { state: 'MAINTENANCE', projectId: mover, instances: 1 }),
        told('question answered', { state: 'MAINTENANCE', projectId: mover, answer: 'ACK', tookSeconds: seconds }),
        told('host begun: to be drained', { host: 'moves' }),
        told('question asked', vm),
        told('question answered', { ...vm, answer: 'ACK' }),
        told('move begun', { ...vm, action: 'LIVE_MIGRATE', target: 'takes' }),
        told('action given up, move forced', {
          ...{ ...vm, ...because('told to') },
          ...{ action: 'LIVE_MIGRATE', tookSeconds: seconds },
        }),
        told('move ended', { ...vm, outcome: 'done', target: 'takes', tookSeconds: seconds }),
        told('host given back', { host: 'moves', enabled: true, tookSeconds: seconds }),
      ],
      [
        told('host in maintenance', { host: 'fails-2' }),
        told('plug-in begun', { host: 'fails-2', plugin: 'breaks' }),
        told('plug-in failed', {
          host: 'fails-2',
          plugin: 'breaks',
          ...because('is not signed'),
          tookSeconds: seconds,
        }),
        told('host failed', { host: 'fails-2', ...because('left disabled'), tookSeconds: seconds }),
      ],
    ]) {
      expect(facts.filter((line) => inOrder.some((one) => isLike(line, one)))).toEqual(inOrder);
    }
  });

  it('is listed as failed and as waiting for nobody; so are the hosts that failed, each with its reason', async () => {
    await untilListed("MaintenanceState = 'MAINTENANCE_FAILED' AND ExecutionStatus = 'Failed'", sessionId);
    await untilListed('MaintenanceProject IS NULL', sessionId);
    const failedHost = hostWorkflowId(sessionId, 'fails-2');
    await untilListed("MaintenanceHost = 'fails-2' AND ExecutionStatus = 'Failed'", failedHost);
    expect(await failureInTemporal(rig, failedHost)).toMatch(/^host fails-2: .*fails-2 is not signed$/);
    const innocent = hostWorkflowId(sessionId, 'moves');
    await untilListed("MaintenanceHost = 'moves' AND ExecutionStatus = 'Completed'", innocent);
  });
});

it('lists no more of the projects that a session waits for than a search attribute takes', async () => {
  const sessionId = await admin.create({ hosts: ['crowded'] });
  const asked = await eventually('all projects are asked', async () => {
    const { typedSearchAttributes } = await rig.client.workflow.getHandle(sessionId).describe();
    return typedSearchAttributes.get(searchAttributes.project);
  });
  const all = crowd.map(({ projectId }) => projectId);
  expect(asked).toEqual(all.slice(0, 40));
  expect(Buffer.byteLength(JSON.stringify(asked))).toBeLessThan(2048);
});

it('lists a session whose workflow was terminated as failed, by its cleanup', async () => {
  const actions = [{ plugin: untilTerminated.name, type: 'host' }];
  const sessionId = await admin.create({ hosts: ['dead-1', 'dead-2'], actions });
  await untilIt(admin, { sessionId, what: 'works' }, ({ state }) => state !== 'MAINTENANCE');
  await rig.client.workflow.getHandle(sessionId).terminate('by hand');
  terminated.open();
  await untilFailed(admin, sessionId);
  await untilListed("MaintenanceState = 'MAINTENANCE_FAILED'", cleanupWorkflowId(sessionId));
});

it('lists a session with its state before any worker has taken it up', async () => {
  await rig.stopWorker();
  const sessionId = await admin.create({ hosts: ['early'], maintenance_at: '2999-01-01 00:00:00' });
  await untilListed("MaintenanceState = 'MAINTENANCE' AND ExecutionStatus = 'Running'", sessionId);
  await rig.restartWorker();
});
