/** Each state of the workflow `default` fails once, is put right, and goes on to MAINTENANCE_DONE where it stopped. */
import { failNextDisables, failNextMoves } from '../../../clouds/simulated/edit-fleet';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { type Admin, anAdmin, type SessionDetail } from '../rig/admin';
import { afterStart } from '../rig/held-plugin';
import { acknowledge, type Manager, type Policy, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { continueFailed, untilDone, untilFailed } from './continued-session';
import { expectWorkDoneToStay, factsOf, failureEvent, failureInTemporal, hostsLeftDisabled } from './session-facts';

const projects = { set: uuidNumber(901), yes: uuidNumber(902), no: uuidNumber(903), mover: uuidNumber(904) };

/** No instance fits on a host of this size: nothing comes to it while the sessions run beside one another. */
const tiny = { vcpus: 1, memory_mb: 512, maintenance_s: 20 };
/** Capacity for two instances. */
const small = { vcpus: 4, memory_mb: 8192, maintenance_s: 20 };

const hostsNamed = (prefix: string, count: number, given: object) =>
  Array.from({ length: count }, (_, n) => aFleetHost({ name: `${prefix}-${n + 1}`, ...given }));

const instance = (number: number, host: string, projectId: string) =>
  aFleetInstance({
    instance_id: uuidNumber(number),
    instance_name: `vm-${number}`,
    project_id: projectId,
    host,
    move_s: 50,
  });

const fleet = aFleetFile({
  hosts: [
    ...hostsNamed('setup', 1, small),
    ...hostsNamed('ask', 1, small),
    ...hostsNamed('start', 2, tiny),
    ...hostsNamed('prepare', 2, small),
    ...hostsNamed('refuse', 2, small),
    ...hostsNamed('roll', 2, small),
    ...hostsNamed('plug', 2, tiny),
    ...hostsNamed('complete', 1, tiny),
    ...hostsNamed('spare', 3, { ...small, maintain: false }),
  ],
  instances: [
    instance(1, 'setup-1', projects.set),
    instance(2, 'ask-1', projects.yes),
    instance(3, 'ask-1', projects.no),
    instance(5, 'prepare-1', projects.mover),
    instance(6, 'prepare-2', projects.mover),
    instance(7, 'roll-1', projects.mover),
    instance(9, 'refuse-1', projects.mover),
    instance(10, 'refuse-2', projects.mover),
  ],
});

interface Case {
  readonly situation: string;
  readonly prevState: string;
  readonly because: RegExp;
  readonly hosts: readonly string[];
  readonly request?: Readonly<Record<string, unknown>>;
  /** Hosts that are broken, perhaps: they stay out of use until the session goes on. */
  readonly leftDisabled?: readonly string[];
  /** States that are entered after the failure. */
  readonly states: RegExp;
  readonly breakIt?: () => Promise<void>;
  readonly putRight?: () => Promise<void> | void;
}

const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });

let refuses = true;
const refuseOnce: Policy = () => ({ answer: refuses ? 'NACK' : 'ACK' });

const cases: readonly Case[] = [
  {
    situation: 'the set-up of a session that begins later: a pre plug-in fails',
    prevState: 'PREPARE_MAINTENANCE',
    because: /^action plug-in dummy \(pre\) failed: dummy was told to fail \(run 1/,
    hosts: ['setup-1'],
    request: { state: 'PREPARE_MAINTENANCE', actions: [action('pre'), action('pre', { fail_times: 1 })] },
    states: /^PREPARE_MAINTENANCE,START_MAINTENANCE,/,
  },
  {
    situation: 'MAINTENANCE: a project refuses for good',
    prevState: 'MAINTENANCE',
    because: new RegExp(`^project ${projects.no} answered NACK_MAINTENANCE 2 times`),
    hosts: ['ask-1'],
    states: /^MAINTENANCE,(START|PREPARE)_MAINTENANCE,/,
    putRight: () => {
      refuses = false;
    },
  },
  {
    situation: 'START_MAINTENANCE: a host cannot be disabled',
    prevState: 'START_MAINTENANCE',
    because: /^host start-2 could not be disabled: .*told to refuse/,
    hosts: ['start-1', 'start-2'],
    request: { actions: [action('pre'), action('host')] },
    breakIt: () => failNextDisables(rig.db, 'start-2', 1),
    states: /^START_MAINTENANCE,/,
  },
  {
    situation: 'PREPARE_MAINTENANCE: neither a live migration nor a forced one works',
    prevState: 'PREPARE_MAINTENANCE',
    because: /^host prepare-[12]: instance vm-[56] \(.*\) could not be moved: .*told to let it fail/,
    hosts: ['prepare-1', 'prepare-2'],
    breakIt: async () => {
      await failNextMoves(rig.db, 'vm-5', 2);
      await failNextMoves(rig.db, 'vm-6', 2);
    },
    putRight: async () => {
      await failNextMoves(rig.db, 'vm-5', 0);
      await failNextMoves(rig.db, 'vm-6', 0);
    },
    states: /^PREPARE_MAINTENANCE,START_MAINTENANCE,/,
  },
  {
    situation: 'PREPARE_MAINTENANCE: the host to be drained cannot be disabled',
    prevState: 'PREPARE_MAINTENANCE',
    because: /^host refuse-[12] could not be disabled/,
    hosts: ['refuse-1', 'refuse-2'],
    breakIt: async () => {
      await failNextDisables(rig.db, 'refuse-1', 1);
      await failNextDisables(rig.db, 'refuse-2', 1);
    },
    putRight: async () => {
      await failNextDisables(rig.db, 'refuse-1', 0);
      await failNextDisables(rig.db, 'refuse-2', 0);
    },
    states: /^PREPARE_MAINTENANCE,START_MAINTENANCE,/,
  },
  {
    situation: 'PLANNED_MAINTENANCE: an instance cannot be moved when other hosts are done',
    prevState: 'PLANNED_MAINTENANCE',
    because: /^host roll-1: instance vm-7 \(.*\) could not be moved/,
    hosts: ['roll-1', 'roll-2'],
    request: { actions: [action('pre'), action('host')] },
    breakIt: () => failNextMoves(rig.db, 'vm-7', 2),
    putRight: () => failNextMoves(rig.db, 'vm-7', 0),
    states: /^PLANNED_MAINTENANCE,/,
  },
  {
    situation: 'PLANNED_MAINTENANCE: a plug-in fails on its hosts',
    prevState: 'PLANNED_MAINTENANCE',
    because: /^host plug-[12]: action plug-in after-start \(compute\) failed: .*\(left disabled: plug-1, plug-2\)$/,
    hosts: ['plug-1', 'plug-2'],
    request: { actions: [{ ...action('compute', { fail_times: 1 }), plugin: 'after-start' }, action('host')] },
    leftDisabled: ['plug-1', 'plug-2'],
    states: /^PLANNED_MAINTENANCE,MAINTENANCE_COMPLETE,/,
  },
  {
    situation: 'MAINTENANCE_COMPLETE: a post plug-in fails',
    prevState: 'MAINTENANCE_COMPLETE',
    because: /^action plug-in dummy \(post\) failed/,
    hosts: ['complete-1'],
    request: { actions: [action('host'), action('post'), action('post', { fail_times: 1 })] },
    states: /^MAINTENANCE_COMPLETE,MAINTENANCE_DONE$/,
  },
];

/** The observations of a case from its failure to its end. */
const goThrough = async ({ hosts, request, putRight, states }: Case) => {
  const sessionId = await admin.create({ hosts, ...request });
  const failed = await untilFailed(admin, sessionId);
  const seen = {
    failed,
    event: await failureEvent(rig, sessionId),
    inTemporal: await failureInTemporal(rig, sessionId),
    disabled: await hostsLeftDisabled(rig, hosts),
    before: await factsOf(rig, sessionId),
  };
  await putRight?.();
  await continueFailed(admin, sessionId);
  const done = await untilDone(admin, sessionId);
  const after = await factsOf(rig, sessionId);
  const statesAfter = after.states.slice(after.states.indexOf('MAINTENANCE_FAILED') + 1).join();
  return { ...seen, done, after, statesAfter, states, disabledAtTheEnd: await hostsLeftDisabled(rig, hosts) };
};

let rig: Rig;
let admin: Admin;
let managers: readonly Manager[] = [];
/** All at once; each test looks at its own. */
let stories: ReadonlyMap<string, Promise<PromiseSettledResult<Awaited<ReturnType<typeof goThrough>>>>>;

beforeAll(async () => {
  rig = await startRig({ fleet, actionPlugins: [afterStart(() => rig)] });
  admin = anAdmin(rig.url);
  const policies = [
    [projects.set, acknowledge],
    [projects.yes, acknowledge],
    [projects.no, refuseOnce],
    [projects.mover, acknowledge],
  ] as const;
  managers = policies.map(([projectId, policy]) => startManager({ url: rig.url, projectId, policy }));
  for (const { breakIt } of cases) await breakIt?.();
  stories = new Map(cases.map((each) => [each.situation, Promise.allSettled([goThrough(each)]).then(([one]) => one)]));
});

afterAll(async () => {
  for (const manager of managers) manager.stop();
  await rig.stop();
});

const storyOf = async (situation: string) => {
  const story = await stories.get(situation)!;
  if (story.status === 'rejected') throw story.reason;
  return story.value;
};

const hostStates = ({ hosts }: SessionDetail) =>
  hosts.map(({ maintained, disabled, details }) => ({ maintained, disabled, details }));

describe.each(cases)('$situation', ({ situation, prevState, because, leftDisabled, hosts, states }) => {
  it('tells the state to go on from and the reason: in detail, as an event and in Temporal', async () => {
    const { failed, event, inTemporal } = await storyOf(situation);
    expect(failed.session.prev_state).toBe(prevState);
    expect(failed.session.failure).toMatch(because);
    expect(event).toMatchObject({ prev_state: prevState, failure: expect.stringMatching(because) as string });
    expect(inTemporal).toMatch(because);
  });

  it('leaves hosts that are not under work usable', async () => {
    const { disabled } = await storyOf(situation);
    expect(disabled).toEqual(leftDisabled ?? []);
  });

  it('is resumed there and ends MAINTENANCE_DONE, with every host maintained and in use', async () => {
    const { done, statesAfter, disabledAtTheEnd } = await storyOf(situation);
    expect(statesAfter).toMatch(states);
    expect(done.percent_done).toBe(100);
    expect(done.session.failure).toBeNull();
    expect(hostStates(done)).toEqual(hosts.map(() => ({ maintained: true, disabled: false, details: '' })));
    expect(disabledAtTheEnd).toEqual([]);
  });

  it('does nothing again that was done before', async () => {
    const { before, after } = await storyOf(situation);
    expectWorkDoneToStay(before, after);
  });
});

it('asks the project that refused again, and not the one that had agreed', async () => {
  const { after } = await storyOf('MAINTENANCE: a project refuses for good');
  const timesAsked = (projectId: string) =>
    after.asked.filter((question) => question.startsWith('MAINTENANCE ') && question.includes(projectId)).length;
  expect({ yes: timesAsked(projects.yes), no: timesAsked(projects.no) }).toEqual({ yes: 1, no: 3 });
});
