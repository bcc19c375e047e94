/** Questions of a session and what projects do with them: silence, refusals, chosen actions, late and wrong replies. */
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { continueFailed } from '../continue/continued-session';
import type { Answer } from '../rig/admin';
import { statesIn } from '../rig/event-log';
import { acknowledge, type Policy, staySilent } from '../rig/manager';
import { endReplyWindows } from '../rig/reply-windows';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

/** One session for three projects with instances on one host: project 1 is silent, 2 chooses, 3 replies wrongly. */
const mixed = aZone(0, {
  hosts: { a: { slots: 7 }, b: { slots: 7 } },
  groups: { 1: { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false } },
  instances: [
    [1, 'a'],
    [2, 'a', { group: 1, migration_type: 'MIGRATE' }],
    [3, 'a', { group: 1, migration_type: 'OWN_ACTION' }],
    [4, 'a', { project: 2 }],
    [5, 'a', { project: 2 }],
    [6, 'a', { project: 2 }],
    [7, 'a', { project: 3 }],
  ],
});
const refusesMaintenance = aZone(1, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const refusesPlanned = aZone(2, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const busyAtFirst = aZone(3, {
  hosts: { a: {}, b: {} },
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});
const choosesTooEarly = aZone(5, {
  hosts: { a: {}, b: {} },
  instances: [
    [1, 'a'],
    [2, 'b'],
    [3, 'b'],
  ],
});

/** The cloud keeps the first two on one host. */
const together = aZone(7, {
  hosts: { a: {}, b: {} },
  serverGroups: { 1: { policy: 'affinity', members: [1, 2] } },
  instances: [
    [1, 'a'],
    [2, 'a'],
    [3, 'a'],
  ],
});

const zones = [mixed, refusesMaintenance, refusesPlanned, busyAtFirst, choosesTooEarly, together];
const { story, judgeTrace } = tellSideBySide({ zones });

/** The actions of the cloud's own log, by instance, in order. */
const actionsOf = async ({ db }: Stage, instanceIds: readonly string[]): Promise<(readonly string[])[]> => {
  const moves = await db.simMove.findMany({
    where: { instanceId: { in: [...instanceIds] } },
    orderBy: { startedAt: 'asc' },
  });
  return instanceIds.map((id) => moves.filter(({ instanceId }) => instanceId === id).map(({ action }) => action));
};

/** Answers as told for the states that are named, and acknowledges the others. */
const answering =
  (answers: Readonly<Record<string, Policy>>): Policy =>
  (event, manager) =>
    (answers[event.state] ?? acknowledge)(event, manager);

const refuse: Policy = () => ({ answer: 'NACK' });

/** Refuses the first question of every state. */
const refuseOnce = (): Policy => {
  const refused = new Set<string>();
  return ({ state }) => {
    if (refused.has(state)) return { answer: 'ACK' };
    refused.add(state);
    return { answer: 'NACK' };
  };
};

const chosen = { [mixed.instance(4)]: 'MIGRATE', [mixed.instance(5)]: 'OWN_ACTION' };

/** The answers of the API to the third project, by the names of its attempts. */
const statuses: Record<string, number> = {};
const codes: Record<string, unknown> = {};
const wrongReply = { projectId: mixed.project(3), instanceId: mixed.instance(7) };
const attempt = async ({ admin }: Stage, sessionId: string, [what, body]: readonly [string, object]): Promise<void> => {
  const answer = await admin.call('PUT', `/maintenance/${sessionId}/${wrongReply.projectId}`, body);
  statuses[what] = answer.status;
  codes[what] = (answer.body as { code?: string } | undefined)?.code;
};
const valid = (action: string) => ({
  state: 'ACK_PLANNED_MAINTENANCE',
  instance_actions: { [wrongReply.instanceId]: action },
});

const repliesWrongly =
  (stage: Stage): Policy =>
  async ({ state, session_id: id }) => {
    const first = ['never asked', { state: 'ACK_PLANNED_MAINTENANCE' }] as const;
    if (state === 'MAINTENANCE') await attempt(stage, id, first);
    if (state !== 'PLANNED_MAINTENANCE') return 'silent';
    for (const one of [
      ['late', { state: 'ACK_MAINTENANCE' }],
      ['no state', { state: 'ACK_NONSENSE' }],
      ['no answer', { state: 'PLANNED_MAINTENANCE' }],
      ['not offered', valid('EVICTION')],
      ['valid', valid('MIGRATE')],
      ['repeated', valid('MIGRATE')],
    ] as const) {
      await attempt(stage, id, one);
    }
    return undefined;
  };

const playMixed = async (stage: Stage) => {
  const { admin, manage } = stage;
  const silent = manage(mixed.project(1), staySilent);
  const choice = () => ({ answer: 'ACK', actions: chosen }) as const;
  manage(mixed.project(2), answering({ PLANNED_MAINTENANCE: choice }));
  manage(wrongReply.projectId, repliesWrongly(stage));
  const sessionId = await admin.create({ hosts: mixed.hostNames });
  return { sessionId, silent, detail: await admin.until(sessionId, 'MAINTENANCE_DONE') };
};
let playing: ReturnType<typeof playMixed> | undefined;
/** The same session for every story that asks for it, once it is done. */
const mixedDone = (stage: Stage) => (playing ??= playMixed(stage));

/** The instances as the session's detail shows them, in the order of their numbers. */
const shownOf = async (stage: Stage, numbers: readonly number[]) => {
  const { instances } = (await mixedDone(stage)).detail;
  return numbers.map((number) => instances.find(({ instance_id }) => instance_id === mixed.instance(number)));
};

story('applies the default behaviour to the instances of a project that stays silent', async (stage) => {
  const { silent } = await mixedDone(stage);
  // OWN_ACTION needs a project that acts: where it is silent, the service live-migrates.
  const expected = ['LIVE_MIGRATE', 'MIGRATE', 'LIVE_MIGRATE'];
  expect(await actionsOf(stage, [1, 2, 3].map(mixed.instance))).toEqual(expected.map((action) => [action]));
  expect(await shownOf(stage, [1, 2, 3])).toMatchObject(
    expected.map((action) => ({ action, action_done: true, project_state: 'INSTANCE_ACTION_DONE' })),
  );
  expect(silent.replies).toEqual([]);
});

story('asks again after a NACK, then fails and names the project', async ({ admin, events, manage }) => {
  const manager = manage(refusesMaintenance.project(1), refuse);
  const sessionId = await admin.create({ hosts: refusesMaintenance.hostNames });
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_FAILED');
  expect(session.prev_state).toBe('MAINTENANCE');
  expect(session.failure).toContain(refusesMaintenance.project(1));
  expect(manager.told.map(({ state }) => state)).toEqual(['MAINTENANCE', 'MAINTENANCE']);
  expect(new Set(manager.told.map(({ message_id }) => message_id)).size).toBe(2);
  expect(statesIn(told)).toEqual(['MAINTENANCE', 'MAINTENANCE_FAILED']);
});

story('gives a host back when a project refuses to have it drained', async (stage) => {
  const { admin, db, manage } = stage;
  const manager = manage(refusesPlanned.project(1), answering({ PLANNED_MAINTENANCE: refuse }));
  const sessionId = await admin.create({ hosts: refusesPlanned.hostNames });
  const { session, hosts } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain(refusesPlanned.project(1));
  expect(manager.told.filter(({ state }) => state === 'PLANNED_MAINTENANCE')).toHaveLength(2);
  expect(hosts.map(({ maintained, disabled }) => ({ maintained, disabled }))).toEqual([
    { maintained: false, disabled: false },
    { maintained: true, disabled: false },
  ]);
  expect(await db.simHost.count({ where: { name: { in: [...refusesPlanned.hostNames] }, disabled: true } })).toBe(0);
  expect(await actionsOf(stage, [refusesPlanned.instance(1)])).toEqual([[]]);
});

story(
  'goes on when a project that refused agrees the next time, and does not mind refusals at the end',
  async (stage) => {
    const { admin, manage } = stage;
    const policy = answering({ MAINTENANCE_COMPLETE: refuse });
    const once = refuseOnce();
    const manager = manage(busyAtFirst.project(1), (event, manager) =>
      event.state === 'MAINTENANCE_COMPLETE' ? policy(event, manager) : once(event, manager),
    );
    const sessionId = await admin.create({ hosts: busyAtFirst.hostNames });
    const { percent_done } = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(percent_done).toBe(100);
    const asked = (state: string) => manager.told.filter((event) => event.state === state).length;
    expect(asked('MAINTENANCE')).toBe(2);
    expect(asked('PREPARE_MAINTENANCE')).toBe(2);
    expect(asked('MAINTENANCE_COMPLETE')).toBe(1);
    expect(new Set(manager.replies.map(({ status }) => status))).toEqual(new Set([200]));
  },
);

story('moves each instance by the action that its project chose', async (stage) => {
  await mixedDone(stage);
  const expected = ['MIGRATE', 'OWN_ACTION', 'LIVE_MIGRATE']; // nothing was chosen for the last one
  expect(await actionsOf(stage, [4, 5, 6].map(mixed.instance))).toEqual(expected.map((action) => [action]));
  expect(await shownOf(stage, [4, 5, 6])).toMatchObject(expected.map((action) => ({ action })));
});

story('does not apply an action that was given for one host to another', async (stage) => {
  const { admin, manage } = stage;
  const actions = Object.fromEntries([1, 2, 3].map((n) => [choosesTooEarly.instance(n), 'MIGRATE']));
  const manager = manage(
    choosesTooEarly.project(1),
    answering({ PREPARE_MAINTENANCE: () => ({ answer: 'ACK', actions }) }),
  );
  const sessionId = await admin.create({ hosts: choosesTooEarly.hostNames });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const [first, ...others] = await actionsOf(
    stage,
    [1, 2, 3].map((n) => choosesTooEarly.instance(n)),
  );
  expect(first![0]).toBe('MIGRATE');
  expect(first!.slice(1).concat(...others)).not.toContain('MIGRATE');
  expect(new Set(manager.replies.map(({ status }) => status))).toEqual(new Set([200]));
});

story('refuses replies that are wrong or late, and takes repeats without effect', async (stage) => {
  const { sessionId } = await mixedDone(stage);
  await attempt(stage, sessionId, ['repeated at the end', valid('MIGRATE')]);
  await attempt(stage, sessionId, ['changed at the end', { state: 'NACK_PLANNED_MAINTENANCE' }]);
  expect(statuses).toEqual({
    'never asked': 422,
    late: 422,
    'no state': 422,
    'no answer': 422,
    'not offered': 422,
    valid: 200,
    repeated: 200,
    'repeated at the end': 200,
    'changed at the end': 422,
  });
  expect(codes).toMatchObject({
    'never asked': 'NEVER_ASKED',
    late: 'TOO_LATE',
    'not offered': 'ACTION_NOT_OFFERED',
    'changed at the end': 'ALREADY_BEGUN',
  });
  expect(await actionsOf(stage, [wrongReply.instanceId])).toEqual([['MIGRATE']]);
  const shown = await shownOf(stage, [7]);
  expect(shown).toMatchObject([{ action: 'MIGRATE', project_state: 'INSTANCE_ACTION_DONE' }]);
});

story('offers nothing but OWN_ACTION for what the cloud does not move, and fails where nobody acts', async (stage) => {
  const { admin, manage } = stage;
  const [first, second, third] = [1, 2, 3].map((n) => together.instance(n)) as [string, string, string];
  const projectId = together.project(1);
  const asked: [readonly string[], readonly string[]][] = [];
  const refused: Answer[] = [];
  let isSilent = true;
  const manager = manage(
    projectId,
    answering({
      PLANNED_MAINTENANCE: async (event, project) => {
        const instanceIds = await project.instancesOf(event);
        asked.push([instanceIds, event.allowed_actions]);
        if (isSilent) return undefined;
        if (!instanceIds.includes(first)) return { answer: 'ACK' };
        const wrong = { state: 'ACK_PLANNED_MAINTENANCE', instance_actions: { [second]: 'MIGRATE' } };
        refused.push(await admin.call('PUT', `/maintenance/${event.session_id}/${projectId}`, wrong));
        // A project that accepts and names no action accepts the only one that is offered.
        return { answer: 'ACK', actions: { [first]: 'OWN_ACTION' } };
      },
    }),
  );
  const sessionId = await admin.create({ hosts: together.hostNames });
  const waits = await admin.untilReason(
    sessionId,
    (one) => one.who === first && one.waiting_for === 'answer' && one.because !== undefined,
  );
  const why = `server group server-group-7-1 (${together.group(1)}) keeps it on one host with its other members`;
  expect(waits).toMatchObject({ waiting_for: 'answer', because: expect.stringContaining(why) as string });
  await eventually('its manager has the question', () =>
    Promise.resolve(asked.some(([ids]) => ids.includes(first)) || undefined),
  );
  await endReplyWindows(stage.rig, sessionId);
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toMatch(
    /instance vm-7-[12] \(.*\) could not be moved: .*OWN_ACTION.*, then continue the session/,
  );
  expect(session.failure).toContain(why);
  expect(await actionsOf(stage, [first, second])).toEqual([[], []]);
  isSilent = false;
  await continueFailed(admin, sessionId);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await actionsOf(stage, [first, second, third])).toEqual([['OWN_ACTION'], ['OWN_ACTION'], ['LIVE_MIGRATE']]);
  const staying = [[first, second], ['OWN_ACTION']];
  expect(asked.filter(([ids]) => ids.includes(first))).toEqual([staying, staying]);
  expect(asked.filter(([ids]) => ids.includes(third))[0]).toEqual([[third], ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION']]);
  expect(refused.map(({ status }) => status)).toEqual([422]);
  expect(JSON.stringify(refused[0]?.body)).toContain(
    `not offered for instance vm-7-2 (${second}) in PLANNED_MAINTENANCE`,
  );
  expect(JSON.stringify(refused[0]?.body)).toContain(why);
  expect(new Set(manager.replies.map(({ status }) => status))).toEqual(new Set([200]));
});

judgeTrace();
