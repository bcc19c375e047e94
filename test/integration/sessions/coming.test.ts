/** What a project sees coming while a session goes on: asked, expected, carried out. */
import type { ComingBody } from '../../../api/schemas/coming-schemas';
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import type { Admin } from '../rig/admin';
import { tellSideBySide } from '../rig/side-by-side';

const group = { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false };
const aComingZone = (index: number) =>
  aZone(index, {
    ...{ hosts: { a: {}, b: {}, c: {} }, groups: { 1: group, 2: { ...group, project: 2 } } },
    instances: [
      [1, 'a', { group: 1, lead_time: 300 }],
      [2, 'b', { group: 2, lead_time: 300, project: 2 }],
    ],
  });
const [zone, later] = [aComingZone(0), aComingZone(1)];

const { story, judgeTrace } = tellSideBySide({ zones: [zone, later], environment: { PARLEY_COMING_SECONDS: '1' } });

const comingOf = async (admin: Admin, project: number): Promise<ComingBody['coming']> =>
  ((await admin.call('GET', `/projects/${zone.project(project)}/coming`)).body as ComingBody).coming;

story('tells each project its own instances, from the first question to the end', async ({ admin, manage, events }) => {
  const replies = { isFree: false };
  const manager = manage(zone.project(1), ({ state }) =>
    state === 'MAINTENANCE' && !replies.isFree ? undefined : { answer: 'ACK' },
  );
  manage(zone.project(2), () => ({ answer: 'ACK' }));
  const sessionId = await admin.create({
    ...{ workflow: 'vnf', hosts: ['a', 'b'].map(zone.host), reason: 'a new kernel' },
    actions: [{ plugin: 'dummy', type: 'host' }],
  });
  const asked = await eventually('the project is asked', async () =>
    (await comingOf(admin, 1)).find(({ status, starts_at: starts }) => status === 'inquiring' && starts !== null),
  );
  expect(asked).toMatchObject({ instance_id: zone.instance(1), session_id: sessionId, reason: 'a new kernel' });
  expect(await comingOf(admin, 2)).toMatchObject([{ instance_id: zone.instance(2) }]);
  const question = await eventually('the manager is told', () =>
    Promise.resolve(manager.told.find(({ state }) => state === 'MAINTENANCE')),
  );
  expect(asked.reply_url).toBe(question.reply_url);
  replies.isFree = true;
  const path = asked.reply_url!.replace(/^.*\/v1/, '');
  expect((await admin.call('PUT', path, { state: 'ACK_MAINTENANCE' })).status).toBe(200);
  const over = await eventually('the instance has moved', async () =>
    (await comingOf(admin, 1)).find(({ status }) => status === 'completed'),
  );
  expect(over).toMatchObject({ starts_at: null, reply_url: null });
  expect(Date.parse(over.ended_at!)).toBeGreaterThanOrEqual(Date.parse(over.started_at!));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await comingOf(admin, 1)).toEqual([]);
  const told = events.of(sessionId).filter(({ event_type: type }) => type === 'maintenance.coming');
  expect(told.map(({ payload }) => payload)).toContainEqual(
    expect.objectContaining({
      ...{ project_id: zone.project(1), reason: 'a new kernel' },
      coming: [expect.objectContaining({ instance_id: zone.instance(1), change: 'scheduled', sequence: 0 })],
    }),
  );
});

story('tells that it is canceled before a session is gone', async ({ admin, events }) => {
  const sessionId = await admin.create({
    ...{ workflow: 'vnf', hosts: ['a', 'b'].map(later.host), actions: [{ plugin: 'dummy', type: 'host' }] },
    maintenance_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const changesTold = () =>
    events
      .of(sessionId)
      .filter(({ event_type: type }) => type === 'maintenance.coming')
      .flatMap(({ payload }) => payload['coming'] as { readonly instance_id: string; readonly change: string }[])
      .map(({ instance_id: id, change }) => `${change} ${id}`)
      .toSorted();
  const each = (change: string) => [1, 2].map((index) => `${change} ${later.instance(index)}`).toSorted();
  const untilTold = (wanted: readonly string[]) =>
    eventually(`${wanted.length} changes are told`, () =>
      Promise.resolve(changesTold().length >= wanted.length ? true : undefined),
    );
  await untilTold(each('scheduled'));
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  await untilTold([...each('canceled'), ...each('scheduled')]);
  expect(changesTold()).toEqual([...each('canceled'), ...each('scheduled')]);
});

judgeTrace();
