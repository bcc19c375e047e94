import {
  apiOn,
  aSessionRequest,
  group,
  groupConstraints,
  instanceConstraints,
  otherGroup,
  ownInstance,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();

/** A session that a row finds in the database; every row begins with the same records. */
const sessionId = '99999999-0000-4000-8000-000000000000';

beforeEach(async () => {
  await db().session.create({
    data: {
      id: sessionId,
      workflow: 'default',
      initialState: 'MAINTENANCE',
      state: 'MAINTENANCE_FAILED',
      prevState: 'MAINTENANCE',
      maintenanceAt: new Date(),
      metadata: {},
      actions: [],
    },
  });
  await db().question.create({
    data: {
      sessionId,
      projectId: ownProject,
      state: 'PLANNED_MAINTENANCE',
      instanceIds: [ownInstance],
      allowedActions: [],
      windowSeconds: 20,
      messageId: sessionId,
    },
  });
  await db().question.create({
    data: {
      sessionId,
      projectId: ownProject,
      instanceId: ownInstance,
      state: 'PLANNED_MAINTENANCE',
      instanceIds: [ownInstance],
      allowedActions: [],
      windowSeconds: 20,
      messageId: ownInstance,
    },
  });
  const admin = { 'X-Auth-Token': 'admin' };
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  await http.put(`/v1/instance/${ownInstance}`).set(admin).send(instanceConstraints()).expect(200);
  await http.put(`/v1/instance_group/${group}`).set(admin).send(groupConstraints()).expect(200);
});

interface Endpoint {
  readonly method: 'get' | 'put' | 'post' | 'delete';
  readonly path: string;
  readonly body?: object;
  /** What the other project, the own project and an admin get. */
  readonly other: number;
  readonly own: number;
  readonly admin: number;
}

const session = `/v1/maintenance/${sessionId}`;
const project = `${session}/${ownProject}`;
const ack = { state: 'ACK_PLANNED_MAINTENANCE' };
const adminOnly = { other: 403, own: 403, admin: 200 };
const projectOwn = { other: 403, own: 200, admin: 200 };

const endpoints: Endpoint[] = [
  { method: 'post', path: '/v1/maintenance', body: aSessionRequest(), ...adminOnly },
  { method: 'get', path: '/v1/maintenance', ...adminOnly },
  { method: 'get', path: session, ...adminOnly },
  { method: 'put', path: session, body: {}, ...adminOnly },
  { method: 'get', path: `${session}/detail`, ...adminOnly },
  { method: 'delete', path: session, ...adminOnly },
  { method: 'get', path: project, ...projectOwn },
  { method: 'put', path: project, body: ack, ...projectOwn },
  { method: 'put', path: `${project}/${ownInstance}`, body: ack, ...projectOwn },
  { method: 'get', path: `/v1/instance/${ownInstance}`, ...projectOwn },
  { method: 'put', path: `/v1/instance/${ownInstance}`, body: instanceConstraints(), ...projectOwn },
  { method: 'delete', path: `/v1/instance/${ownInstance}`, ...projectOwn },
  { method: 'get', path: `/v1/instance_group/${group}`, ...projectOwn },
  { method: 'put', path: `/v1/instance_group/${group}`, body: groupConstraints(), ...projectOwn },
  { method: 'delete', path: `/v1/instance_group/${group}`, ...projectOwn },
  { method: 'get', path: `/v1/events?from=now&project_id=${ownProject}`, ...projectOwn },
];

/** Taking over: the other project's token, its own ID in the body, the own project's record. */
const takeovers = [
  { what: 'an instance', path: `/v1/instance/${ownInstance}`, body: instanceConstraints },
  { what: 'a group', path: `/v1/instance_group/${group}`, body: groupConstraints },
];

const calls = endpoints.flatMap(({ method, path, body, other, own, admin }) =>
  [
    { caller: 'nobody', token: undefined, status: 401 },
    { caller: 'a wrong token', token: 'guessed', status: 401 },
    { caller: 'another project', token: 'other', status: other },
    { caller: 'the own project', token: 'own', status: own },
    { caller: 'an admin', token: 'admin', status: admin },
  ].map((call) => ({ ...call, method, path, body })),
);

/** The stream of events ends at once, as the service is stopping. */
const call = ({
  method,
  path,
  body,
  token,
}: {
  method: Endpoint['method'];
  path: string;
  body?: object | undefined;
  token?: string | undefined;
}) => {
  const { http } = apiOn(db(), { identity: tokenIdentity(), stopping: AbortSignal.abort() });
  return http[method](path)
    .set(token === undefined ? {} : { 'X-Auth-Token': token })
    .send(body);
};

describe('who may do what', () => {
  it.each(calls)('$method $path as $caller: $status', async ({ method, path, body, token, status }) => {
    const reply = await call({ method, path, body, token });
    expect(reply.status).toBe(status);
    expect(reply.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer realm="parley"' : undefined);
  });

  it.each(takeovers)('another project may not take over $what with its own ID in the body', async ({ path, body }) => {
    const reply = await call({
      method: 'put',
      path,
      body: body({ project_id: '22222222222242228222222222222222' }),
      token: 'other',
    });
    expect(reply.body).toMatchObject({ status: 403, code: 'NOT_YOUR_PROJECT' });
    const stored = await db().instanceConstraint.findUniqueOrThrow({ where: { instanceId: ownInstance } });
    expect(stored.projectId).toBe(ownProject);
  });

  it("a project may not store constraints for another's instance that has none yet", async () => {
    await db().instanceConstraint.deleteMany();
    const body = instanceConstraints({ project_id: '22222222-2222-4222-8222-222222222222' });
    await call({ method: 'put', path: `/v1/instance/${ownInstance}`, body, token: 'other' }).expect(403);
    await call({ method: 'delete', path: `/v1/instance/${ownInstance}`, token: 'other' }).expect(403);
  });

  it("a project may not put its instance into another's group", async () => {
    const body = instanceConstraints({ group_id: otherGroup });
    await call({ method: 'put', path: `/v1/instance/${ownInstance}`, body, token: 'own' }).expect(422);
  });

  it('a token may come as Authorization: Bearer', async () => {
    const { http } = apiOn(db(), { identity: tokenIdentity() });
    await http.get('/v1/maintenance').set('Authorization', 'Bearer admin').expect(200);
    await http.get('/v1/maintenance').set('Authorization', 'Bearer guessed').expect(401);
    await http.get('/v1/maintenance').set('Authorization', 'Basic admin').expect(401);
  });

  it.each(['/healthz', '/readyz', '/openapi.json', '/docs/'])('%s needs no token', async (path) => {
    await apiOn(db(), { identity: tokenIdentity() }).http.get(path).expect(200);
  });
});
