/** Sessions over projects that have said once what they answer: nobody waits for them, and a reply still counts. */
import type { SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import type { Database } from '../../../prisma/database';
import { aTightZone, aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { plannedEvents } from '../rig/event-log';
import { acknowledge, staySilent } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

/** Each instance has a project of its own. */
const numbers = Array.from({ length: 20 }, (_each, index) => index + 1);
const hostOf = (number: number): string => 'abc'[Math.floor((number - 1) / 7)] ?? 'c';
const aZoneOfTwenty = (zone: number): Zone =>
  aZone(zone, {
    hosts: { a: { slots: 7 }, b: { slots: 7 }, c: { slots: 7 }, d: { slots: 7 } },
    instances: numbers.map((number) => [number, hostOf(number), { project: number }] as const),
  });
const byInstance = aZoneOfTwenty(0);
const byHost = aZoneOfTwenty(1);

const hosts = { a: {}, b: {} };
const inGroup = { group: 1, lead_time: 300 };
const silent = aZone(2, {
  hosts,
  groups: { 1: { max_impacted_members: 2, recovery_time: 0, anti_affinity_group: false } },
  instances: [
    [1, 'a', inGroup],
    [2, 'a', inGroup],
  ],
});
const silentOnHost = aZone(3, {
  hosts,
  instances: [
    [1, 'a'],
    [2, 'a'],
  ],
});
const wavering = aZone(4, { hosts, instances: [[1, 'a']] });
const tight = aTightZone(5);

const zones = [byInstance, byHost, silent, silentOnHost, wavering, tight];
const { story, judgeTrace } = tellSideBySide({ zones });

const yes = { MAINTENANCE: 'ACK', MAINTENANCE_COMPLETE: 'ACK' };
const byMigration = { ...yes, PLANNED_MAINTENANCE: { action: 'MIGRATE' } };

const store = async ({ admin }: Stage, projectId: string, terms: object): Promise<void> => {
  const { status } = await admin.call('PUT', `/projects/${projectId}/terms`, terms);
  expect(status).toBe(200);
};

const questionsOf = (db: Database, sessionId: string) =>
  db.question.findMany({ where: { sessionId }, orderBy: { createdAt: 'asc' } });

/** The seconds that these answers took, as plans learn them; null: the project was silent. */
const answerTimesOf = async (db: Database, questions: readonly { readonly id: string }[]) => {
  const times = await db.answerTime.findMany({ where: { questionId: { in: questions.map(({ id }) => id) } } });
  return times.map(({ seconds }) => seconds);
};

/** The actions of the cloud's own log. */
const actionsOf = async ({ db }: Stage, zone: Zone): Promise<readonly string[]> => {
  const ids = zone.instances.map(({ instance_id: id }) => id);
  const moves = await db.simMove.findMany({ where: { instanceId: { in: ids } } });
  return moves.map(({ action }) => action);
};

/** Seconds from now until the expected end of such a session. */
const plannedSeconds = async ({ admin }: Stage, request: object): Promise<number> => {
  const maintenance = { state: 'MAINTENANCE', metadata: {}, maintenance_at: new Date().toISOString() };
  const { body, status } = await admin.call('POST', '/maintenance/plan', { ...maintenance, ...request });
  expect({ status, body }).toMatchObject({ status: 200 });
  const { ends_at: endsAt } = body as { readonly ends_at: { readonly expected: string } };
  return (Date.parse(endsAt.expected) - Date.now()) / 1000;
};

const expectNoWaiting = async ({ db, events }: Stage, sessionId: string): Promise<void> => {
  const questions = await questionsOf(db, sessionId);
  // Three questions to each project at least: about the session, its instance, and the end.
  expect(questions.length).toBeGreaterThanOrEqual(3 * numbers.length);
  expect(new Set(questions.map(({ answeredBy }) => answeredBy))).toEqual(new Set(['terms']));
  expect(new Set(questions.map(({ status }) => status))).toEqual(new Set(['answered']));
  // Each had its answer before its event was on the bus, so before its window began.
  expect(questions.filter(({ answeredAt, askedAt }) => askedAt !== null && answeredAt! > askedAt)).toEqual([]);
  // An answer at once says nothing about how quick the project is.
  expect(await answerTimesOf(db, questions)).toEqual([]);
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  const asked = plannedEvents(told).filter(({ allowed_actions: allowed, state }) => {
    return (allowed as readonly string[]).length > 0 || state === 'MAINTENANCE' || state === 'MAINTENANCE_COMPLETE';
  });
  expect(asked.length).toBe(questions.length);
  expect(new Set(asked.map((event) => event['answered_by']))).toEqual(new Set(['terms']));
  expect(asked.every(({ reply_at: replyAt }) => typeof replyAt === 'string' && replyAt !== '')).toBe(true);
};

story('asks twenty silent projects about each instance, and waits for none of them', async (stage) => {
  const request = { workflow: 'vnf', hosts: byInstance.hostNames.slice(0, 3) };
  const before = await plannedSeconds(stage, request);
  for (const number of numbers) {
    await store(stage, byInstance.project(number), { ask: 'never', answers: byMigration });
  }
  // A plan expects 10 s for each answer: about the session, about the instances of a host, and at the end.
  expect(await plannedSeconds(stage, request)).toBeLessThanOrEqual(before - 30);
  const sessionId = await stage.admin.create(request);
  await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectNoWaiting(stage, sessionId);
  const actions = await actionsOf(stage, byInstance);
  expect(actions.length).toBeGreaterThanOrEqual(numbers.length);
  expect(new Set(actions)).toEqual(new Set(['MIGRATE']));
});

story('asks twenty silent projects about each host, and waits for none of them', async (stage) => {
  for (const number of numbers) await store(stage, byHost.project(number), { ask: 'never', answers: byMigration });
  const sessionId = await stage.admin.create({ hosts: byHost.hostNames.slice(0, 3) });
  await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectNoWaiting(stage, sessionId);
  expect(new Set(await actionsOf(stage, byHost))).toEqual(new Set(['MIGRATE']));
});

const silences = [
  { what: 'an instance', zone: silent, workflow: 'vnf' },
  { what: 'a host', zone: silentOnHost, workflow: 'default' },
];
for (const { what, zone, workflow } of silences) {
  story(`waits for a project that wants to be asked about ${what}, then keeps to its terms`, async (stage) => {
    await store(stage, zone.project(1), { answers: { PLANNED_MAINTENANCE: { action: 'MIGRATE' } } });
    stage.manage(zone.project(1), (event, manager) =>
      event.state === 'PREPARE_MAINTENANCE' || event.state === 'PLANNED_MAINTENANCE'
        ? staySilent(event, manager)
        : acknowledge(event, manager),
    );
    // What the terms answer is no silence: nobody skips the host.
    const request = { workflow, hosts: [zone.host('a')], reply_policy: { silence: 'skip_host' } };
    const sessionId = await stage.admin.create(request);
    const { hosts: done } = await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(done).toMatchObject([{ hostname: zone.host('a'), maintained: true }]);
    expect(await actionsOf(stage, zone)).toEqual(['MIGRATE', 'MIGRATE']);
    const asked = (await questionsOf(stage.db, sessionId)).filter(({ hostname }) => hostname !== null);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(await answerTimesOf(stage.db, asked))).toEqual(new Set([null]));
    for (const { answeredBy, answeredAt, replyAt } of asked) {
      expect(answeredBy).toBe('terms');
      expect(answeredAt!.getTime()).toBeGreaterThanOrEqual(replyAt!.getTime());
    }
  });
}

story(
  'takes the refusal of a project over its terms, and waits for it from then on',
  async ({ admin, db, ...stage }) => {
    await store({ admin, db, ...stage }, wavering.project(1), {
      ask: 'never',
      answers: yes,
      contact: 'mailto:a@example.org',
    });
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const sessionId = await admin.create({ hosts: [wavering.host('a')], maintenance_at: inAnHour });
    const replyUrl = `/maintenance/${sessionId}/${wavering.project(1)}`;
    const waitFor = (what: string, wanted: object) =>
      eventually(what, async () => {
        const asked = await questionsOf(db, sessionId);
        return asked.some((one) =>
          Object.entries(wanted).every(([key, value]) => one[key as keyof typeof one] === value),
        )
          ? asked
          : undefined;
      });
    await waitFor('the terms have answered', { answer: 'ACK', answeredBy: 'terms' });
    expect(await admin.call('PUT', replyUrl, { state: 'NACK_MAINTENANCE' })).toMatchObject({ status: 200 });
    const asked = await eventually('the project is asked again', async () => {
      const all = await questionsOf(db, sessionId);
      return all.length === 2 ? all : undefined;
    });
    expect(asked).toMatchObject([
      { answer: 'NACK', answeredBy: null },
      { answer: null, answeredBy: null, status: 'open' },
    ]);
    const wait = await eventually('the question has reached the bus', async () => {
      const { body } = await admin.call('GET', `/maintenance/${sessionId}/detail?view=summary`);
      return (body as SessionSummaryBody).waiting.find(({ waiting_for: waitingFor }) => waitingFor === 'answer');
    });
    expect(wait.project_contact).toBe('mailto:a@example.org');
    expect(await admin.call('PUT', replyUrl, { state: 'ACK_MAINTENANCE' })).toMatchObject({ status: 200 });
    await waitFor('its own answer counts', { answer: 'ACK', answeredBy: null });
    expect(await admin.call('DELETE', `/maintenance/${sessionId}`)).toMatchObject({ status: 200 });
  },
);

story('asks a project that frees nothing for no time at all', async (stage) => {
  await store(stage, tight.project(1), { ask: 'never', answers: { ...yes, SCALE_IN: 'NACK' } });
  const sessionId = await stage.admin.create({ workflow: 'vnf', hosts: tight.hostNames });
  const { session } = await stage.admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain('rounds of SCALE_IN freed too little');
  const asked = (await questionsOf(stage.db, sessionId)).filter(({ state }) => state === 'SCALE_IN');
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ answer, answeredBy }) => answer !== 'NACK' || answeredBy !== 'terms')).toEqual([]);
});

judgeTrace();
