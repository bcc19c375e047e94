/** PATCH of a session at the API: what is written, what is answered, what is refused. */
import { inTransaction } from '../../../prisma/database';
import { findSessionProgress, reviveSession } from '../../../prisma/session/session-progress';
import { noShownSteering } from '../../builders/a-steering';
import { apiOn, aSessionRequest, nobody, useDatabase } from './api-under-test';

const { db } = useDatabase();

type Http = ReturnType<typeof apiOn>['http'];

const create = async (http: Http, fields: object = {}): Promise<string> => {
  const reply = await http
    .post('/v1/maintenance')
    .send(aSessionRequest({ workflow: 'vnf', ...fields }))
    .expect(200);
  return (reply.body as { session_id: string }).session_id;
};

const aWindow = (fields: object = {}) => ({
  ...{ days: ['mon', 'sun'], from: '02:00', to: '06:00', time_zone: 'Europe/Berlin' },
  ...fields,
});

const change = (http: Http, id: string, body: object) => http.patch(`/v1/maintenance/${id}`).send(body);
const rowOf = (id: string) => db().session.findUniqueOrThrow({ where: { id } });

it('changes only what is named, takes away what is null, wakes the session, and shows it', async () => {
  const { http, workflowCalls } = apiOn(db());
  const id = await create(http, { max_parallel_hosts: 3 });
  const unchanged = await change(http, id, { session_id: id }).expect(200);
  expect(unchanged.body).toEqual({
    ...{ session_id: id, state: 'MAINTENANCE', maintenance_at: '2026-04-15T11:43:28.000Z' },
    ...noShownSteering,
    max_parallel_hosts: 3,
  });
  expect((await rowOf(id)).updatedAt).toBeNull();
  const changed = await change(http, id, { max_parallel_hosts: 1 }).expect(200);
  expect(changed.body).toMatchObject({ max_parallel_hosts: 1 });
  expect((await rowOf(id)).updatedAt).not.toBeNull();
  await change(http, id, { max_parallel_hosts: null }).expect(200);
  expect(workflowCalls.calls.slice(1)).toEqual([1, 2, 3].map(() => `wakeSession ${id}`));
  const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
  expect(detail.body).toMatchObject({ session: { max_parallel_hosts: null } });
});

it('calls a session by its name in the list and the detail, until that is taken away', async () => {
  const { http } = apiOn(db());
  const id = await create(http, { name: 'kernel of rack 7' });
  const namesNow = async () => {
    const list = await http.get('/v1/maintenance').expect(200);
    const { sessions } = list.body as { readonly sessions: readonly { session_id: string; name: string | null }[] };
    const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    return [
      sessions.find(({ session_id: one }) => one === id)?.name,
      (detail.body as { session: { name: string | null } }).session.name,
    ];
  };
  expect(await namesNow()).toEqual(['kernel of rack 7', 'kernel of rack 7']);
  await change(http, id, { name: 'kernel of racks 7, 8 – “night”' }).expect(200);
  expect(await namesNow()).toEqual(['kernel of racks 7, 8 – “night”', 'kernel of racks 7, 8 – “night”']);
  await change(http, id, { name: null }).expect(200);
  expect(await namesNow()).toEqual([null, null]);
});

it('keeps windows as they were given, and works out when they open', async () => {
  const { http } = apiOn(db());
  const id = await create(http, { windows: [aWindow()] });
  const { windowOpensAt, windowClosesAt, windowOpensAgainAt } = await rowOf(id);
  expect(windowOpensAt?.getTime()).toBeLessThan(windowClosesAt?.getTime() ?? 0);
  expect(windowClosesAt?.getTime()).toBeLessThan(windowOpensAgainAt?.getTime() ?? 0);
  const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
  expect(detail.body).toMatchObject({ session: { windows: [aWindow()] } });
  const tomorrow = new Date(Date.now() + 86_400_000);
  const day = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][tomorrow.getUTCDay()];
  const windows = [aWindow({ days: [day], from: '12:00', to: '13:00', time_zone: 'UTC' })];
  await change(http, id, { windows }).expect(200);
  const opensAt = `${tomorrow.toISOString().slice(0, 10)}T12:00:00.000Z`;
  const closed = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
  const waiting = [{ who: 'compute-1', waiting_for: 'time', subject: opensAt }];
  expect(closed.body).toMatchObject({ session: { windows, waiting } });
  await change(http, id, { windows: null }).expect(200);
  expect(await rowOf(id)).toMatchObject({ windows: null, windowOpensAt: null, windowClosesAt: null });
});

it('keeps windows by the calendar as they were given, and tells when the last of their dates is over', async () => {
  const { http } = apiOn(db());
  const dates = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  const windows = [
    { days: ['sat'], nth: [2, -1], except: dates, from: '02:00', to: '06:00', time_zone: 'Europe/Berlin' },
    { dates, time_zone: 'UTC' },
  ];
  const id = await create(http, { windows });
  expect((await rowOf(id)).windowOpensAt).not.toBeNull();
  const opensLast = await change(http, id, { windows: windows.slice(1) }).expect(200);
  expect(opensLast.body).toMatchObject({ windows: windows.slice(1) });
  const { windowOpensAt, windowClosesAt, windowOpensAgainAt } = await rowOf(id);
  expect([windowOpensAt, windowClosesAt].map((at) => at?.toISOString().slice(0, 10))).toEqual([
    dates[0],
    new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10),
  ]);
  expect(windowOpensAgainAt).toBeNull();
  const over = [{ dates: ['2026-01-01'], time_zone: 'UTC' }];
  const refused = await change(http, id, { windows: over }).expect(422);
  expect(refused.body).toMatchObject({ errors: [{ pointer: '/windows' }] });
});

it.each([
  { what: 'an unknown field', body: { colour: 'red' }, pointer: '/colour' },
  { what: 'a field that only the create request has', body: { workflow: 'default' }, pointer: '/workflow' },
  { what: 'a value of a wrong type', body: { max_parallel_hosts: '3' }, pointer: '/max_parallel_hosts' },
  { what: 'a name without a letter', body: { name: '' }, pointer: '/name' },
  { what: 'a name of two lines', body: { name: 'a\nb' }, pointer: '/name' },
  { what: 'a value out of range', body: { max_parallel_hosts: 0 }, pointer: '/max_parallel_hosts' },
  { what: 'no host of a zone', body: { max_parallel_per: { zone: 0 } }, pointer: '/max_parallel_per/zone' },
  { what: 'no label', body: { max_parallel_per: {} }, pointer: '/max_parallel_per' },
  { what: 'an empty label', body: { one_domain_at_a_time: '' }, pointer: '/one_domain_at_a_time' },
  { what: 'a window without days', body: { windows: [aWindow({ days: [] })] }, pointer: '/windows/0/days' },
  { what: 'a window on no day', body: { windows: [aWindow({ days: ['someday'] })] }, pointer: '/windows/0/days/0' },
  { what: 'a window of no time', body: { windows: [aWindow(), aWindow({ to: '02:00' })] }, pointer: '/windows/1/to' },
  {
    what: 'a date that no calendar has',
    body: { windows: [{ dates: ['2027-02-29'], time_zone: 'UTC' }] },
    pointer: '/windows/0/dates/0',
  },
  { what: 'the sixth of a month', body: { windows: [aWindow({ nth: [6] })] }, pointer: '/windows/0/nth/0' },
  { what: 'a window at no time', body: { windows: [aWindow({ from: '24:00' })] }, pointer: '/windows/0/from' },
  {
    what: 'an unknown zone',
    body: { windows: [aWindow({ time_zone: 'Europe/Berln' })] },
    pointer: '/windows/0/time_zone',
  },
  { what: 'a deadline in the past', body: { deadline: '2026-01-01 00:00:00' }, pointer: '/deadline' },
  { what: 'a deadline that is no time', body: { deadline: 'soon' }, pointer: '/deadline' },
  { what: 'windows that are none', body: { windows: [] }, pointer: '/windows' },
  { what: "another session's ID", body: { session_id: nobody }, pointer: '/session_id' },
])('$what is 422 with its pointer, and changes nothing', async ({ body, pointer }) => {
  const { http, workflowCalls } = apiOn(db());
  const id = await create(http, { max_parallel_hosts: 3 });
  const reply = await change(http, id, { max_parallel_hosts: 5, ...body }).expect(422);
  expect(reply.body).toMatchObject({ code: 'BODY_DOES_NOT_FIT', errors: [{ pointer }] });
  expect(await rowOf(id)).toMatchObject({ maxParallelHosts: 3, updatedAt: null });
  expect(workflowCalls.calls).toEqual([`start ${id}`]);
});

it('moves the start until the session has begun', async () => {
  const { http } = apiOn(db());
  const id = await create(http, { maintenance_at: '2030-01-01 02:00:00' });
  const moved = await change(http, id, { maintenance_at: '2030-01-02T02:00:00+01:00' }).expect(200);
  expect(moved.body).toMatchObject({ maintenance_at: '2030-01-02T01:00:00.000Z' });
  await change(http, id, { maintenance_at: null }).expect(422);
  await change(http, id, { maintenance_at: 'soon' }).expect(422);
  await db().session.update({ where: { id }, data: { begunAt: new Date('2030-01-02T01:00:00Z') } });
  const refused = await change(http, id, { maintenance_at: '2031-01-01 00:00:00' }).expect(422);
  const message = expect.stringContaining('the session began at 2030-01-02T01:00:00.000Z') as string;
  expect(refused.body).toMatchObject({ errors: [{ pointer: '/maintenance_at', message }] });
  expect((await rowOf(id)).maintenanceAt.toISOString()).toBe('2030-01-02T01:00:00.000Z');
});

it('a deadline lies after the start, wherever either is moved; of another one nothing was told yet', async () => {
  const { http } = apiOn(db());
  const id = await create(http, { maintenance_at: '2090-01-01 02:00:00', deadline: '2090-01-01 06:00:00' });
  await db().session.update({ where: { id }, data: { deadlineMissed: 'expected' } });
  const late = await change(http, id, { maintenance_at: '2090-01-01 06:00:00' }).expect(422);
  expect(late.body).toMatchObject({ errors: [{ pointer: '/maintenance_at' }] });
  const early = await change(http, id, { deadline: '2090-01-01 02:00:00' }).expect(422);
  expect(early.body).toMatchObject({ errors: [{ pointer: '/deadline' }] });
  expect((await rowOf(id)).deadlineMissed).toBe('expected');
  const later = await change(http, id, { deadline: '2090-01-01 07:00:00' }).expect(200);
  expect(later.body).toMatchObject({ deadline: '2090-01-01T07:00:00.000Z' });
  expect((await rowOf(id)).deadlineMissed).toBeNull();
});

it('of two changes at once both are kept', async () => {
  const { http } = apiOn(db());
  const id = await create(http);
  const fields = [{ max_parallel_hosts: 2 }, { max_failed_hosts: 3 }, { windows: [aWindow()] }];
  await Promise.all(fields.map((body) => change(http, id, body).expect(200)));
  expect(await rowOf(id)).toMatchObject({ maxParallelHosts: 2, maxFailedHosts: 3, windows: [{ from: '02:00' }] });
});

it('refuses what does not fit the workflow of the session', async () => {
  const { http } = apiOn(db());
  const id = await create(http, { workflow: 'default' });
  const reply = await change(http, id, { max_parallel_hosts: 2 }).expect(422);
  expect(reply.body).toMatchObject({ errors: [{ pointer: '/max_parallel_hosts' }] });
  await change(http, id, { max_parallel_hosts: null }).expect(200);
});

it.each([
  { what: 'is done', fields: { state: 'MAINTENANCE_DONE' }, hint: 'create another session' },
  { what: 'is being deleted', fields: { deleteRequestedAt: new Date() }, hint: 'create another session' },
])('a session that $what is 422 with a hint', async ({ fields, hint }) => {
  const { http } = apiOn(db());
  const id = await create(http);
  await db().session.update({ where: { id }, data: fields });
  const reply = await change(http, id, { max_parallel_hosts: 2 }).expect(422);
  expect(reply.body).toMatchObject({ code: 'NOT_CHANGEABLE', hint: expect.stringContaining(hint) as string });
  expect((await rowOf(id)).maxParallelHosts).toBeNull();
});

it('changes a session that has failed, for when it goes on', async () => {
  const { http } = apiOn(db());
  const id = await create(http);
  await db().session.update({ where: { id }, data: { state: 'MAINTENANCE_FAILED' } });
  await change(http, id, { max_parallel_hosts: 2 }).expect(200);
});

it('is 404 for a session that never was, or was deleted', async () => {
  const { http } = apiOn(db());
  const id = await create(http);
  await db().session.update({ where: { id }, data: { deletedAt: new Date() } });
  await change(http, nobody, {}).expect(404);
  await change(http, id, {}).expect(404);
});

describe('failed_hosts: enable', () => {
  const changeWith = async (fields: object, host: object = {}) => {
    const { http } = apiOn(db());
    const id = await create(http, { max_failed_hosts: 1 });
    await db().session.update({ where: { id }, data: { state: 'PLANNED_MAINTENANCE', ...fields } });
    const leftDisabled = { phase: 'set_aside', failure: 'no', disabled: true, disabledBefore: false, ...host };
    await db().sessionHost.updateMany({ where: { sessionId: id }, data: leftDisabled });
    const reply = await change(http, id, { failed_hosts: 'enable' });
    const { phase, failure } = await db().sessionHost.findFirstOrThrow({ where: { sessionId: id } });
    return { id, reply, phase, failure };
  };

  it.each([
    { what: 'enables a host that was left disabled, which stays set aside', phase: 'releasing' },
    { what: 'enables it after the work on hosts', fields: { state: 'MAINTENANCE_COMPLETE' }, phase: 'releasing' },
    { what: 'waits for PUT in a failed session', fields: { state: 'MAINTENANCE_FAILED' }, phase: 'set_aside' },
    { what: 'waits for PUT in a session that is failing', fields: { stopping: 'failing' }, phase: 'set_aside' },
    { what: 'leaves a host alone that was disabled before', host: { disabledBefore: true }, phase: 'set_aside' },
  ])('$what', async ({ fields = {}, host = {}, phase }) => {
    const changed = await changeWith(fields, host);
    expect([changed.reply.status, changed.phase, changed.failure]).toEqual([200, phase, 'no']);
  });

  it('enables it when the failed session goes on', async () => {
    const { id } = await changeWith({ state: 'MAINTENANCE_FAILED' });
    await inTransaction(db(), async (tx) => reviveSession(tx, (await findSessionProgress(tx, id))!));
    expect(await db().sessionHost.findFirst({ where: { sessionId: id } })).toMatchObject({ phase: 'releasing' });
  });
});
