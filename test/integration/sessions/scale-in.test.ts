/** SCALE_IN: a fleet too tight for any host to be drained, and projects that do or do not give up instances. */
import { addInstance, removeInstance } from '../../../clouds/simulated/edit-fleet';
import { aZone } from '../../builders/a-zone';
import { leave } from '../requests/requests';
import { plannedEvents, statesIn } from '../rig/event-log';
import { type Policy, staySilent } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const two = { slots: 2 };

const oneByOne = aZone(0, {
  hosts: { a: two, b: two },
  instances: [
    [1, 'a'],
    [2, 'a'],
    [3, 'b'],
    [4, 'b', { project: 2 }],
  ],
});
const lastOneHelps = aZone(1, {
  hosts: { a: two, b: two, c: two },
  instances: [
    [1, 'a'],
    [2, 'a'],
    [3, 'c'],
    [4, 'b', { project: 2 }],
    [5, 'b', { project: 3 }],
  ],
});
const tightLater = aZone(3, {
  hosts: { a: two, b: two },
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});

/** Full: host a needs three slots, and each time one of them is freed. */
const littleByLittle = aZone(4, {
  hosts: { a: { slots: 3 }, b: { slots: 3 } },
  instances: [1, 2, 3].flatMap((n) => [[n, 'a'] as const, [3 + n, 'b', { project: 2 }] as const]),
});

const { story, judgeTrace } = tellSideBySide({
  zones: [oneByOne, lastOneHelps, tightLater, littleByLittle],
  environment: { PARLEY_SCALE_IN_ROUNDS: '2' },
});

const remove = ({ db }: Stage, instanceId: string): Promise<void> => removeInstance(db, instanceId);

/** Answers as told when it is asked to scale in, and acknowledges the rest. */
const whenScalingIn =
  (policy: Policy): Policy =>
  (event, manager) =>
    event.state === 'SCALE_IN' ? policy(event, manager) : { answer: 'ACK' };

const askedToScaleIn = (told: readonly { readonly state: string }[]): number =>
  told.filter(({ state }) => state === 'SCALE_IN').length;

story('asks again until a project that removes one instance each time has freed capacity', async (stage) => {
  const { admin, events, manage } = stage;
  const toRemove = [1, 2].map((n) => oneByOne.instance(n));
  const first = manage(
    oneByOne.project(1),
    whenScalingIn(async () => {
      const instanceId = toRemove.shift();
      if (instanceId !== undefined) await remove(stage, instanceId);
      return { answer: 'ACK', isAll: true };
    }),
  );
  const second = manage(
    oneByOne.project(2),
    whenScalingIn(() => ({ answer: 'NACK' })),
  );
  const sessionId = await admin.create({ hosts: oneByOne.hostNames, metadata: { hint: 'shrink' } });
  const { hosts } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(statesIn(told).slice(0, 3)).toEqual(['MAINTENANCE', 'SCALE_IN', 'START_MAINTENANCE']);
  const asked = plannedEvents(told, 'SCALE_IN');
  // The second round names what is left on host a, which is empty then.
  expect(asked.map(({ instance_ids }) => instance_ids)).toEqual(['', '', oneByOne.instance(2)]);
  for (const payload of asked) {
    expect(payload).toMatchObject({
      allowed_actions: ['OWN_ACTION'],
      metadata: { hint: 'shrink' },
      session_id: sessionId,
    });
  }
  expect([askedToScaleIn(first.told), askedToScaleIn(second.told)]).toEqual([2, 1]);
  expect(hosts.every(({ maintained }) => maintained === true)).toBe(true);
});

story('goes on to the next project where one is silent or refuses', async (stage) => {
  const { admin, events, manage } = stage;
  const silent = manage(lastOneHelps.project(1), whenScalingIn(staySilent));
  const refuses = manage(
    lastOneHelps.project(2),
    whenScalingIn(() => ({ answer: 'NACK' })),
  );
  const helps = manage(
    lastOneHelps.project(3),
    whenScalingIn(async () => {
      await remove(stage, lastOneHelps.instance(5));
      return { answer: 'ACK' };
    }),
  );
  const sessionId = await admin.create({ hosts: lastOneHelps.hostNames });
  const told = await events.until(sessionId, 'maintenance.session', 'PREPARE_MAINTENANCE');
  await leave(admin, sessionId);
  expect(plannedEvents(told, 'SCALE_IN').map(({ project_id }) => project_id)).toEqual(
    [1, 2, 3].map((n) => lastOneHelps.project(n)),
  );
  expect([silent, refuses, helps].map((manager) => askedToScaleIn(manager.told))).toEqual([1, 1, 1]);
});

story('goes on for more rounds than allowed in a row where each leaves less missing', async (stage) => {
  const { admin, events, manage } = stage;
  const own = [1, 2, 3].map((n) => littleByLittle.instance(n));
  const gone = new Set<string>();
  // The manager deletes another instance than the event names, as long as it has one.
  const frees = manage(
    littleByLittle.project(1),
    whenScalingIn(async ({ instance_ids: named }) => {
      const left = own.filter((id) => !gone.has(id));
      const chosen = left.find((id) => id !== named) ?? left[0]!;
      gone.add(chosen);
      await remove(stage, chosen);
      return { answer: 'ACK', actions: { [chosen]: 'OWN_ACTION' }, isAll: true };
    }),
  );
  manage(
    littleByLittle.project(2),
    whenScalingIn(() => ({ answer: 'NACK' })),
  );
  const sessionId = await admin.create({ hosts: littleByLittle.hostNames });
  const told = await events.until(sessionId, 'maintenance.session', 'START_MAINTENANCE');
  await leave(admin, sessionId);
  expect(statesIn(told).slice(0, 3)).toEqual(['MAINTENANCE', 'SCALE_IN', 'START_MAINTENANCE']);
  const [first, ...later] = frees.told.filter(({ state }) => state === 'SCALE_IN').map((event) => event.instance_ids);
  expect(first).toBe('');
  expect(later).toHaveLength(2);
  expect(own).toEqual(expect.arrayContaining(later));
  expect(frees.replies.filter(({ status }) => status !== 200)).toEqual([]);
});

story('scales in when the capacity is taken while hosts are rolled, then rolls on', async (stage) => {
  const { admin, db, events, manage } = stage;
  const { vcpus, memory_mb: memoryMb } = tightLater.slot;
  const takeCapacity = async (): Promise<void> => {
    const projectId = tightLater.project(2);
    const host = tightLater.host('a');
    await addInstance(db, { host, projectId, vcpus, memoryMb, moveSeconds: 20 });
  };
  manage(tightLater.project(2), staySilent);
  let isTaken = false;
  manage(tightLater.project(1), async ({ state }) => {
    if (state === 'PLANNED_MAINTENANCE' && !isTaken) {
      isTaken = true;
      await takeCapacity();
    }
    if (state === 'SCALE_IN') await remove(stage, tightLater.instance(1));
    return { answer: 'ACK' };
  });
  const sessionId = await admin.create({ hosts: tightLater.hostNames });
  const { percent_done } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(percent_done).toBe(100);
  expect(statesIn(told)).toEqual([
    'MAINTENANCE',
    'PREPARE_MAINTENANCE',
    'START_MAINTENANCE',
    'PLANNED_MAINTENANCE',
    'SCALE_IN',
    'PLANNED_MAINTENANCE',
    'MAINTENANCE_COMPLETE',
    'MAINTENANCE_DONE',
  ]);
});

judgeTrace();
