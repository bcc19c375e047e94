/** Terms of projects, instances and groups, as projects store them. */
import type { TermsPreviewBody } from '../../../api/schemas/terms-schemas';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { idFormNames, idForms } from '../../builders/id-forms';
import { pick, type Random, randomFrom } from '../../builders/random';
import {
  apiOn,
  aSessionRequest,
  group,
  groupConstraints,
  instanceConstraints,
  otherProject,
  ownInstance,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();
const url = `/v1/projects/${ownProject}/terms`;
const terms = {
  ask: 'never',
  answers: { MAINTENANCE: 'ACK', SCALE_IN: 'NACK', PLANNED_MAINTENANCE: { action: 'LIVE_MIGRATE' } },
};

describe('terms of a project', () => {
  it('come back as they were stored, and are replaced as a whole', async () => {
    const { http } = apiOn(db());
    const reply = await http.put(url).send(terms).expect(200);
    expect(reply.text).toBe('');
    await http.get(url).expect(200, terms);
    const next = { answers: { MAINTENANCE_COMPLETE: 'ACK' } };
    await http.put(url).send(next).expect(200);
    await http.get(url).expect(200, next);
    expect(await db().projectTerms.count()).toBe(1);
  });

  it.each(idFormNames)('are the same for each form of the ID: %s', async (form) => {
    const { http } = apiOn(db());
    await http
      .put(`/v1/projects/${idForms[form](ownProject)}/terms`)
      .send(terms)
      .expect(200);
    await http.get(url).expect(200, terms);
    await http.delete(`/v1/projects/${idForms[form](ownProject)}/terms`).expect(200);
    await http.get(url).expect(404);
  });

  it('are 404 where none are stored, and deleting them is fine all the same', async () => {
    const { http } = apiOn(db());
    const reply = await http.get(url).expect(404);
    expect(reply.body).toMatchObject({ code: 'TERMS_NOT_FOUND' });
    await http.delete(url).expect(200);
  });

  it.each<{ situation: string; body: object; pointer: string; message: string }>([
    {
      situation: 'an unknown field',
      body: { colour: 'red' },
      pointer: '/colour',
      message: 'known are ask, answers, hours, notice_seconds, contact',
    },
    {
      situation: 'another way to be asked',
      body: { ask: 'sometimes' },
      pointer: '/ask',
      message: 'always, outside_hours, never',
    },
    { situation: 'an empty contact', body: { contact: '' }, pointer: '/contact', message: 'must not be empty' },
    {
      situation: 'a contact as long as a page',
      body: { contact: 'x'.repeat(10_000) },
      pointer: '/contact',
      message: 'must have at most 255 characters',
    },
    {
      situation: 'an unknown state',
      body: { answers: { MAINTENANCE_DONE: 'ACK' } },
      pointer: '/answers/MAINTENANCE_DONE',
      message: 'is not a known field',
    },
    {
      situation: 'a standing refusal of maintenance',
      body: { answers: { MAINTENANCE: 'NACK' } },
      pointer: '/answers/MAINTENANCE',
      message: 'must be one of ACK',
    },
    {
      situation: 'a refusal of a move',
      body: { answers: { PLANNED_MAINTENANCE: 'NACK' } },
      pointer: '/answers/PLANNED_MAINTENANCE',
      message: 'must be ACK, or an object with an action',
    },
    {
      situation: 'an unknown action',
      body: { answers: { PLANNED_MAINTENANCE: { action: 'TELEPORT' } } },
      pointer: '/answers/PLANNED_MAINTENANCE/action',
      message: 'LIVE_MIGRATE, MIGRATE, OWN_ACTION, EVICTION',
    },
    {
      situation: 'an action that the cloud does not offer',
      body: { answers: { PREPARE_MAINTENANCE: { action: 'EVICTION' } } },
      pointer: '/answers/PREPARE_MAINTENANCE/action',
      message: 'does not offer EVICTION',
    },
    {
      situation: 'an answer without an action',
      body: { answers: { PLANNED_MAINTENANCE: {} } },
      pointer: '/answers/PLANNED_MAINTENANCE/action',
      message: 'is missing',
    },
  ])('are refused with $situation', async ({ body, pointer, message }) => {
    const reply = await apiOn(db()).http.put(url).send(body).expect(422);
    const expected = expect.objectContaining({
      pointer,
      message: expect.stringContaining(message) as string,
    }) as object;
    expect(reply.body).toMatchObject({ errors: [expected] });
    expect(await db().projectTerms.count()).toBe(0);
  });

  it('are refused or stored as they are, whatever is sent', async () => {
    const { http } = apiOn(db());
    const random = randomFrom(57);
    for (let round = 0; round < 300; round += 1) {
      await http.put(url).send(terms).expect(200);
      const body = hostileTerms(random);
      const { status } = await http.put(url).type('json').send(JSON.stringify(body));
      expect([200, 400, 422]).toContain(status);
      await http.get(url).expect(200, status === 200 ? body : terms);
    }
  });
});

const hostileValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  2 ** 53 + 2,
  '',
  'ACK',
  'NACK',
  'ack',
  'never',
  'always',
  'a\u0000b',
  '\ud800',
  'x'.repeat(10_000),
  [],
  Array.from({ length: 10_000 }, () => ({ days: ['sat'], from: '22:00', to: '22:00', time_zone: 'Mars/Olympus' })),
  {},
  { action: 'MIGRATE' },
  { action: 'MIGRATE', also: 1 },
  { action: null },
  { ['__proto__']: { action: 'MIGRATE' } },
];
const hostileFields = ['ask', 'answers', 'hours', 'notice_seconds', 'contact', '__proto__', 'constructor', ''] as const;
const hostileStates = ['MAINTENANCE', 'SCALE_IN', 'PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE'];

const hostileTerms = (random: Random): unknown => {
  const value = (): unknown => pick(hostileValues, random);
  const some = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(names.filter(() => random() < 0.3).map((name) => [name, value()]));
  const shape = random();
  if (shape < 0.1) return value() ?? {};
  if (shape < 0.5) return { ask: 'never', answers: some([...hostileStates, 'MAINTENANCE_DONE']) };
  return some(hostileFields);
};

describe('terms that a project tells the cloud', () => {
  it('are shown beside those that it has stored, whatever the form of its ID', async () => {
    const told = new Map([[ownProject.replaceAll('-', ''), { ask: 'never', contact: 'web@example.org' } as const]]);
    const { http } = apiOn(db(), {
      cloud: { ...createSimulatedCloud({ db: db(), speed: 1 }), projectTerms: () => Promise.resolve(told) },
    });
    await http.get(`${url}/told`).expect(200, { ask: 'never', contact: 'web@example.org' });
    const reply = await http.get(`/v1/projects/${otherProject}/terms/told`).expect(404);
    expect(reply.body).toMatchObject({ code: 'TERMS_NOT_FOUND' });
  });

  it('are 404 in a cloud to which nobody tells any', async () => {
    await apiOn(db()).http.get(`${url}/told`).expect(404);
  });
});

describe('the contact of a project', () => {
  const contact = 'mailto:web@example.org';

  it('is told to admins with the questions of the project, and to nobody else', async () => {
    await apiOn(db()).http.put(url).send({ contact }).expect(200);
    await anOpenQuestion(db());
    const { http } = apiOn(db(), { identity: tokenIdentity() });
    const asAdmin = await http.get('/v1/questions').set('X-Auth-Token', 'admin').expect(200);
    expect(asAdmin.body).toMatchObject({ questions: [{ project_contact: contact }] });
    const asProject = await http.get('/v1/questions').set('X-Auth-Token', 'own').expect(200);
    const [question] = (asProject.body as { questions: object[] }).questions;
    expect(question).not.toHaveProperty('project_contact');
  });

  it.each([
    { of: 'an instance', path: `/v1/instance/${ownInstance}`, body: instanceConstraints },
    { of: 'a group', path: `/v1/instance_group/${group}`, body: groupConstraints },
  ])('is no field of the constraints of $of', async ({ path, body }) => {
    const reply = await apiOn(db())
      .http.put(path)
      .send(body({ terms: { contact } }))
      .expect(422);
    expect(reply.body).toMatchObject({ errors: [{ pointer: '/terms/contact' }] });
  });
});

const anOpenQuestion = async (database: ReturnType<typeof db>): Promise<void> => {
  const { id: sessionId } = await database.session.create({
    data: {
      id: group,
      prevState: 'MAINTENANCE',
      workflow: 'default',
      initialState: 'MAINTENANCE',
      state: 'MAINTENANCE',
      maintenanceAt: new Date(),
      metadata: {},
      actions: [],
    },
  });
  const asked = { sessionId, projectId: ownProject, state: 'MAINTENANCE', instanceIds: [ownInstance] };
  await database.question.create({
    data: { ...asked, allowedActions: [], windowSeconds: 20, messageId: ownInstance },
  });
};

describe('terms in constraints', () => {
  const instanceUrl = `/v1/instance/${ownInstance}`;
  const groupUrl = `/v1/instance_group/${group}`;

  it('come back with those of an instance, and go with the next ones that have none', async () => {
    const { http } = apiOn(db());
    await http.put(instanceUrl).send(instanceConstraints({ terms })).expect(200);
    await http.get(instanceUrl).expect(200, instanceConstraints({ terms }));
    await http.put(instanceUrl).send(instanceConstraints()).expect(200);
    await http.get(instanceUrl).expect(200, instanceConstraints());
  });

  it('come back with those of a group', async () => {
    const { http } = apiOn(db());
    await http.put(groupUrl).send(groupConstraints({ terms })).expect(200);
    const reply = await http.get(groupUrl).expect(200);
    expect(reply.body).toMatchObject({ terms });
  });

  it.each([
    { of: 'an instance', path: instanceUrl, body: instanceConstraints },
    { of: 'a group', path: groupUrl, body: groupConstraints },
  ])('are refused with those of $of where the cloud does not offer their action', async ({ path, body }) => {
    const wrong = { answers: { PLANNED_MAINTENANCE: { action: 'EVICTION' } } };
    const reply = await apiOn(db())
      .http.put(path)
      .send(body({ terms: wrong }))
      .expect(422);
    const pointer = '/terms/answers/PLANNED_MAINTENANCE/action';
    expect(reply.body).toMatchObject({ errors: [expect.objectContaining({ pointer })] });
    expect((await db().instanceConstraint.count()) + (await db().groupConstraint.count())).toBe(0);
  });
});

describe('a preview of terms', () => {
  const request = aSessionRequest({
    workflow: 'vnf',
    actions: [{ plugin: 'dummy', type: 'host' }],
    reason: 'an update',
  });
  const previewOf = async (http: ReturnType<typeof apiOn>['http'], body: object, project = ownProject) =>
    (await http.post(`/v1/projects/${project}/terms/preview`).send(body).expect(200)).body as TermsPreviewBody;

  it('tells when the session of the project would end, and stores nothing', async () => {
    const { http } = apiOn(db());
    await http.put(url).send({ contact: 'the web team' }).expect(200);
    const created = await http.post('/v1/maintenance').send(request).expect(200);
    const { sessions } = await previewOf(http, {
      ask: 'never',
      answers: { MAINTENANCE: 'ACK', PLANNED_MAINTENANCE: 'ACK', MAINTENANCE_COMPLETE: 'ACK' },
    });
    expect(sessions).toMatchObject([{ ...(created.body as object), reason: 'an update' }]);
    const [{ ends_at: now, ends_at_with_terms: then }] = sessions as [TermsPreviewBody['sessions'][number]];
    // Nobody waits any more for those who stay silent.
    expect(Date.parse(then!.latest)).toBeLessThan(Date.parse(now!.latest) - 1_000);
    await http.get(url).expect(200, { contact: 'the web team' });
    expect(await db().auditEntry.count({ where: { path: { endsWith: 'preview' } } })).toBe(0);
  });

  it('has no session in which the project has no part', async () => {
    const { http } = apiOn(db());
    await http.post('/v1/maintenance').send(request).expect(200);
    expect(await previewOf(http, terms, otherProject)).toEqual({ project_id: otherProject, sessions: [] });
  });

  it('refuses terms that could not be stored', async () => {
    const { http } = apiOn(db());
    const refused = await http.post(`${url}/preview`).send({ ask: 'sometimes' }).expect(422);
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/ask' }] });
  });
});
