/** Freezes at the API: what is stored and refused, and how sessions, plans and summaries keep to them. */
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import type { SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import { inTransaction, lockSession, takeLock } from '../../../prisma/database';
import { weekdays } from '../../../rules/maintenance-windows/maintenance-window';
import { anOpenWindow } from '../../builders/a-window';
import { untilAnybodyWaitsForALock } from '../activities/moves/granted-move';
import { apiOn, aSessionRequest, useDatabase } from './api-under-test';

const { db } = useDatabase();

interface ProblemBody {
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}
type Http = ReturnType<typeof apiOn>['http'];

const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();
const reason = 'Nobody is on call';
const aFreeze = (fields: object = {}) => ({ reason, from: hours(-1), until: hours(48), ...fields });
const put = (http: Http, name: string, body: object) => http.put(`/v1/freezes/${name}`).send(body);
const create = async (http: Http, fields: object = {}): Promise<string> => {
  const request = aSessionRequest({ workflow: 'vnf', ...fields });
  const reply = await http.post('/v1/maintenance').send(request).expect(200);
  return (reply.body as { session_id: string }).session_id;
};
const rowOf = (id: string) => db().session.findUniqueOrThrow({ where: { id } });
const summaryOf = async (http: Http, id: string) =>
  (await http.get(`/v1/maintenance/${id}/detail?view=summary`).expect(200)).body as SessionSummaryBody;

it('keeps a freeze as it was given, lists it, replaces and deletes it', async () => {
  const { http } = apiOn(db());
  const body = aFreeze();
  const stored = await put(http, 'christmas', body).expect(200);
  expect(stored.body).toEqual({
    ...{ name: 'christmas', ...body, times: null, active: true, begins_at: null, ends_at: body.until },
    ...{ created_at: expect.any(String) as string, updated_at: null },
  });
  expect((await http.get('/v1/freezes').expect(200)).body).toEqual({ freezes: [stored.body] });
  expect((await http.get('/v1/freezes/christmas').expect(200)).body).toEqual(stored.body);
  const times = [{ days: ['fri'], nth: [-1], from: '10:00', to: '12:00', time_zone: 'Europe/Berlin' }];
  const replaced = await put(http, 'christmas', { reason, times }).expect(200);
  expect(replaced.body).toMatchObject({ times, from: null, until: null, updated_at: expect.any(String) as string });
  await http.delete('/v1/freezes/christmas').expect(200);
  await http.delete('/v1/freezes/christmas').expect(404);
  expect((await http.get('/v1/freezes/christmas').expect(404)).body).toMatchObject({ code: 'FREEZE_NOT_FOUND' });
});

const always = { days: [...weekdays], time_zone: 'UTC' };
const tenThousandDates = Array.from({ length: 10_000 }, (_, n) => {
  return new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
});

it.each([
  { what: 'neither a range nor times', body: { reason }, pointer: '', says: 'must have either' },
  { what: 'both', body: aFreeze({ times: [always] }), pointer: '', says: 'must have either' },
  { what: 'no reason', body: { ...aFreeze(), reason: undefined }, pointer: '/reason', says: '' },
  { what: 'no end', body: { reason, from: hours(1) }, pointer: '/until', says: 'must be given with from' },
  { what: 'no begin', body: { reason, until: hours(1) }, pointer: '/from', says: 'must be given with until' },
  {
    what: 'an end before the begin',
    body: aFreeze({ from: hours(50) }),
    pointer: '/until',
    says: 'must lie after from',
  },
  { what: 'a range that is over', body: aFreeze({ until: hours(-0.5) }), pointer: '/until', says: 'lies in the past' },
  {
    ...{ what: 'an end in the year 9999', body: aFreeze({ until: '9999-12-31T00:00:00Z' }) },
    ...{ pointer: '/until', says: 'must lie within the next 1100 days' },
  },
  { what: 'a year that nobody writes', body: aFreeze({ until: '19999-12-31T00:00:00Z' }), pointer: '/until', says: '' },
  { what: 'times that never end', body: { reason, times: [always] }, pointer: '/times', says: 'never ends' },
  {
    ...{ what: 'times that are over', body: { reason, times: [{ dates: ['2020-01-01'], time_zone: 'UTC' }] } },
    ...{ pointer: '/times', says: 'all their dates are over' },
  },
  {
    ...{ what: '10,000 dates', body: { reason, times: [{ dates: tenThousandDates, time_zone: 'UTC' }] } },
    ...{ pointer: '/times/0/dates', says: '' },
  },
  {
    ...{ what: 'an unknown zone', body: { reason, times: [{ ...always, time_zone: 'Mars/Olympus' }] } },
    ...{ pointer: '/times/0/time_zone', says: '' },
  },
  {
    ...{ what: 'a time of no length', body: { reason, times: [{ ...always, from: '02:00', to: '02:00' }] } },
    ...{ pointer: '/times/0/to', says: 'must differ from from' },
  },
  { what: 'a field that does not exist', body: aFreeze({ windows: [] }), pointer: '/windows', says: '' },
])('refuses a freeze with $what, and stores nothing', async ({ body, pointer, says }) => {
  const { http } = apiOn(db());
  const problem = (await put(http, 'x', body).expect(422)).body as ProblemBody;
  expect(problem.errors).toEqual([{ pointer, message: expect.stringContaining(says) as string }]);
  expect(await db().freeze.count()).toBe(0);
});

it.each(['-x', 'a%20b', 'a%2Fb', 'x'.repeat(64), '%F0%9F%8E%84'])('refuses the name %s', async (name) => {
  const { http } = apiOn(db());
  const problem = (await put(http, name, aFreeze()).expect(400)).body as ProblemBody;
  expect(problem).toMatchObject({ code: 'MALFORMED_ID', errors: [{ pointer: '#path/name' }] });
});

it('refuses what would never end together with others, and too many', async () => {
  const { http } = apiOn(db());
  const [some, others] = [weekdays.slice(0, 4), weekdays.slice(4)];
  await put(http, 'some', { reason, times: [{ ...always, days: some }] }).expect(200);
  const problem = (await put(http, 'others', { reason, times: [{ ...always, days: others }] }).expect(422))
    .body as ProblemBody;
  const message = 'leaves no time in which sessions may begin, together with the freezes some';
  expect(problem).toMatchObject({ errors: [{ pointer: '/times', message }] });
  const times = Array.from({ length: 20 }, () => ({ ...always, days: ['mon'] }));
  for (const name of ['a', 'b', 'c', 'd']) await put(http, name, { reason, times }).expect(200);
  expect((await put(http, 'e', { reason, times }).expect(422)).body).toMatchObject({
    errors: [{ pointer: '/times', message: expect.stringContaining('at most 100') as string }],
  });
});

describe('a session', () => {
  it('is frozen and goes on by its row, from the answer on, and is woken', async () => {
    const { http, workflowCalls } = apiOn(db());
    const id = await create(http);
    expect(await rowOf(id)).toMatchObject({ windowOpensAt: null, windowClosesAt: null, windowProblem: null });
    const { until } = (await put(http, 'christmas', aFreeze()).expect(200)).body as { until: string };
    expect(await rowOf(id)).toMatchObject({ windowOpensAt: new Date(until), windowClosesAt: null });
    expect(workflowCalls.calls).toContain(`wakeSession ${id}`);
    const frozen = await summaryOf(http, id);
    const by = `freeze christmas (${reason})`;
    expect(frozen).toMatchObject({ progress: 'closed', window_open: false, frozen_by: by });
    expect(frozen.window_seconds_left).toBeGreaterThan(47 * 3600);
    const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    expect(detail.body).toMatchObject({
      session: {
        waiting: [
          {
            ...{ who: 'compute-1', waiting_for: 'time', subject: until, owner: 'admin' },
            because: `${by} keeps it from beginning before then`,
          },
        ],
      },
    });
    await http.delete('/v1/freezes/christmas').expect(200);
    expect(await rowOf(id)).toMatchObject({ windowOpensAt: null, windowFrozenBy: null });
    expect(await summaryOf(http, id)).toMatchObject({ progress: 'running', window_open: null, frozen_by: null });
  });

  it('is created in a freeze, with windows and without', async () => {
    const { http } = apiOn(db());
    const { until } = (await put(http, 'christmas', aFreeze()).expect(200)).body as { until: string };
    const without = await rowOf(await create(http));
    expect(without.windowOpensAt?.toISOString()).toBe(until);
    const within = await rowOf(await create(http, { hosts: ['compute-2'], windows: [anOpenWindow()] }));
    expect(within.windowOpensAt?.getTime()).toBeGreaterThanOrEqual(Date.parse(until));
    expect(within.windowFrozenBy).toBe(`freeze christmas (${reason})`);
  });

  it('knows the freeze that is to come', async () => {
    const { http } = apiOn(db());
    const id = await create(http);
    const body = aFreeze({ from: hours(5) });
    await put(http, 'christmas', body).expect(200);
    expect(await summaryOf(http, id)).toMatchObject({ progress: 'running', window_open: true, frozen_by: null });
    const { windowClosesAt, windowOpensAgainAt } = await rowOf(id);
    expect([windowClosesAt, windowOpensAgainAt]).toEqual([new Date(body.from), new Date(body.until)]);
  });

  it('ignores freezes for a reason, which the detail shows, until that is taken away', async () => {
    const { http } = apiOn(db());
    await put(http, 'christmas', aFreeze()).expect(200);
    const id = await create(http, { ignore_freezes: 'a hole in the kernel' });
    const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    expect(detail.body).toMatchObject({ session: { ignore_freezes: 'a hole in the kernel' } });
    expect(await summaryOf(http, id)).toMatchObject({ progress: 'running', window_open: null });
    await http.patch(`/v1/maintenance/${id}`).send({ ignore_freezes: null }).expect(200);
    expect(await summaryOf(http, id)).toMatchObject({ progress: 'closed' });
    await http.patch(`/v1/maintenance/${id}`).send({ ignore_freezes: 'a hole' }).expect(200);
    expect(await summaryOf(http, id)).toMatchObject({ progress: 'running' });
    await http.patch(`/v1/maintenance/${id}`).send({ ignore_freezes: '' }).expect(422);
  });

  it('that is over is left alone', async () => {
    const { http } = apiOn(db());
    const id = await create(http);
    await db().session.update({ where: { id }, data: { state: 'MAINTENANCE_DONE' } });
    await put(http, 'christmas', aFreeze()).expect(200);
    expect((await rowOf(id)).windowOpensAt).toBeNull();
  });

  it('tells that its windows open in freezes alone', async () => {
    const { http } = apiOn(db());
    const id = await create(http, { windows: [{ days: ['fri'], time_zone: 'UTC' }] });
    await put(http, 'fridays', { reason, times: [{ days: ['fri'], time_zone: 'UTC' }] }).expect(200);
    const says = 'freezes (fridays) leave no time of the maintenance windows';
    expect(await rowOf(id)).toMatchObject({ windowProblem: says, windowOpensAt: null });
    const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    expect(detail.body).toMatchObject({ session: { waiting: [{ waiting_for: 'window', because: says }] } });
  });
});

it('a freeze waits for the row of each session', async () => {
  const { http } = apiOn(db());
  const id = await create(http);
  let stored: Promise<unknown> | undefined;
  await inTransaction(db(), async (tx) => {
    await lockSession(tx, id);
    stored = put(http, 'christmas', aFreeze()).expect(200).then();
    await untilAnybodyWaitsForALock(db());
    expect((await rowOf(id)).windowOpensAt).toBeNull();
  });
  await stored;
  expect((await rowOf(id)).windowOpensAt).not.toBeNull();
});

it('a session that is created while a freeze is stored waits for it', async () => {
  const { http } = apiOn(db());
  let created: Promise<string> | undefined;
  await inTransaction(db(), async (tx) => {
    await takeLock(tx, 'freezes');
    created = create(http);
    await Promise.race([untilAnybodyWaitsForALock(db()), created]);
    const range = { fromAt: new Date(hours(-1)), untilAt: new Date(hours(1)) };
    await tx.freeze.create({ data: { name: 'christmas', reason, ...range } });
  });
  expect((await rowOf(await created!)).windowOpensAt).not.toBeNull();
});

it('freezes and sessions that are created at the same time know each other', async () => {
  const { http } = apiOn(db());
  const names = ['compute-1', 'compute-2', 'compute-3'];
  const [, ...ids] = await Promise.all([
    put(http, 'christmas', aFreeze()).expect(200),
    ...names.map((name) => create(http, { hosts: [name] })),
  ]);
  for (const id of ids) expect((await rowOf(id)).windowOpensAt).not.toBeNull();
});

describe('a plan', () => {
  const actions = [{ plugin: 'dummy', type: 'host', metadata: { seconds: 60 } }];
  const planOf = async (http: Http, fields: object = {}) => {
    const request = aSessionRequest({ workflow: 'vnf', actions, ...fields });
    return (await http.post('/v1/maintenance/plan').send(request).expect(200)).body as PlanBody;
  };

  it('begins after the freeze, says so, and counts it against the deadline', async () => {
    const { http } = apiOn(db());
    const { until } = (await put(http, 'christmas', aFreeze()).expect(200)).body as { until: string };
    const plan = await planOf(http, { deadline: hours(24) });
    expect(Date.parse(plan.begins_at)).toBeGreaterThanOrEqual(Date.parse(until));
    expect(plan.blockers).toContainEqual(
      expect.objectContaining({ kind: 'session_frozen', severity: 'delays', owner: 'admin' }),
    );
    expect(plan.blockers).toContainEqual(expect.objectContaining({ kind: 'deadline_missed', severity: 'delays' }));
  });

  it('of a session that ignores freezes does not wait', async () => {
    const { http } = apiOn(db());
    await put(http, 'christmas', aFreeze()).expect(200);
    const plan = await planOf(http, { ignore_freezes: 'a hole in the kernel', deadline: hours(24) });
    expect(plan.seconds_left?.expected).toBeLessThan(3600);
    expect(plan.blockers.map(({ kind }) => kind)).not.toContain('session_frozen');
  });

  it('of a session under way waits too', async () => {
    const { http } = apiOn(db());
    const id = await create(http, { actions });
    const before = (await http.get(`/v1/maintenance/${id}/plan`).expect(200)).body as PlanBody;
    expect(before.seconds_left?.expected).toBeLessThan(3600);
    await put(http, 'christmas', aFreeze()).expect(200);
    const after = (await http.get(`/v1/maintenance/${id}/plan`).expect(200)).body as PlanBody;
    expect(after.seconds_left?.expected).toBeGreaterThan(47 * 3600);
  });
});
