import type { Identity } from '../../../api/identity/identity';
import { keyOf } from '../../../rules/cloud/id';
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
import { aKeystone } from './keystone-under-test';
import { kubernetesIdentity } from './kubernetes-under-test';
import { anOidcIssuer } from './oidc-under-test';

const { db } = useDatabase();
const keystone = aKeystone();
const oidc = anOidcIssuer();

type Caller = 'admin' | 'own' | 'other';

/** A way to tell callers apart, with a token for each. */
interface Mode {
  readonly mode: string;
  readonly identity: () => Identity;
  readonly tokenOf: (caller: Caller) => string | Promise<string>;
  readonly challenge: () => string;
}

const modes: Mode[] = [
  {
    mode: 'by a file of tokens',
    identity: tokenIdentity,
    tokenOf: (caller) => caller,
    challenge: () => 'Bearer realm="parley"',
  },
  {
    mode: 'by Keystone',
    identity: keystone.identity,
    tokenOf: keystone.tokenOf,
    challenge: () => `Keystone uri="${keystone.rig().authUrl}"`,
  },
  {
    mode: 'by OpenID Connect',
    identity: oidc.identity,
    tokenOf: oidc.tokenOf,
    challenge: () => 'Bearer realm="parley"',
  },
  {
    mode: 'by Kubernetes',
    identity: kubernetesIdentity,
    tokenOf: (caller) => caller,
    challenge: () => 'Bearer realm="parley"',
  },
];

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
  const { http } = apiOn(db());
  await http.put(`/v1/instance/${ownInstance}`).send(instanceConstraints()).expect(200);
  await http.put(`/v1/instance_group/${group}`).send(groupConstraints()).expect(200);
  await http.put(`/v1/projects/${ownProject}/terms`).send({ ask: 'never' }).expect(200);
  await http.post(`/v1/projects/${ownProject}/calendar`).expect(200);
  await http.post(`/v1/projects/${ownProject}/scheduledevents/address`).expect(200);
  await http.post(`/v1/projects/${ownProject}/instances/${ownInstance}/scheduledevents/address`).expect(200);
});

interface Endpoint {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly body?: object;
  /** The statuses for the other project, the own project and an admin. */
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
  { method: 'patch', path: session, body: {}, ...adminOnly },
  { method: 'get', path: `${session}/detail`, ...adminOnly },
  { method: 'get', path: `${session}/detail?view=summary`, ...adminOnly },
  { method: 'get', path: `${session}/timeline`, ...adminOnly },
  { method: 'get', path: `${session}/record`, ...adminOnly },
  { method: 'get', path: `${session}/report`, ...adminOnly },
  { method: 'get', path: `${session}/tenants`, ...adminOnly },
  { method: 'get', path: `${session}/moves`, ...adminOnly },
  { method: 'get', path: `${session}/report?format=html`, ...adminOnly },
  { method: 'get', path: '/v1/maintenance?state=failed', ...adminOnly },
  { method: 'post', path: `${session}/archive`, ...adminOnly },
  { method: 'get', path: `${session}/detail?project=${ownProject}`, ...adminOnly },
  { method: 'delete', path: session, ...adminOnly },
  // The session has failed: an admin is let in and told so.
  { method: 'post', path: `${session}/pause`, ...adminOnly, admin: 422 },
  { method: 'post', path: `${session}/resume`, ...adminOnly, admin: 422 },
  { method: 'post', path: `${session}/abort`, ...adminOnly, admin: 422 },
  // The session has no such host: an admin is let in and told so.
  { method: 'post', path: `${session}/hosts/compute-1/skip`, ...adminOnly, admin: 404 },
  { method: 'post', path: `${session}/hosts/compute-1/retry`, ...adminOnly, admin: 404 },
  { method: 'post', path: `${session}/hosts/compute-1/first`, ...adminOnly, admin: 404 },
  {
    ...{ method: 'post', path: `${session}/hosts/compute-1/release`, body: { outcome: 'done' } },
    ...{ ...adminOnly, admin: 404 },
  },
  { method: 'get', path: project, ...projectOwn },
  { method: 'put', path: project, body: ack, ...projectOwn },
  { method: 'put', path: `${project}/${ownInstance}`, body: ack, ...projectOwn },
  { method: 'get', path: `/v1/instance/${ownInstance}`, ...projectOwn },
  { method: 'put', path: `/v1/instance/${ownInstance}`, body: instanceConstraints(), ...projectOwn },
  { method: 'delete', path: `/v1/instance/${ownInstance}`, ...projectOwn },
  { method: 'get', path: `/v1/instance_group/${group}`, ...projectOwn },
  { method: 'put', path: `/v1/instance_group/${group}`, body: groupConstraints(), ...projectOwn },
  { method: 'delete', path: `/v1/instance_group/${group}`, ...projectOwn },
  { method: 'get', path: `/v1/projects/${ownProject}/terms`, ...projectOwn },
  // This cloud tells no terms.
  { method: 'get', path: `/v1/projects/${ownProject}/terms/told`, ...projectOwn, own: 404, admin: 404 },
  { method: 'put', path: `/v1/projects/${ownProject}/terms`, body: { ask: 'always' }, ...projectOwn },
  { method: 'post', path: `/v1/projects/${ownProject}/terms/preview`, body: { ask: 'never' }, ...projectOwn },
  { method: 'delete', path: `/v1/projects/${ownProject}/terms`, ...projectOwn },
  { method: 'get', path: `/v1/projects/${ownProject}/coming`, ...projectOwn },
  { method: 'get', path: `/v1/projects/${ownProject}/instances/${ownInstance}/coming`, ...projectOwn },
  { method: 'get', path: `/v1/projects/${ownProject}/coming.ics`, ...projectOwn },
  { method: 'post', path: `/v1/projects/${ownProject}/calendar`, ...projectOwn },
  { method: 'get', path: `/v1/projects/${ownProject}/calendar`, ...projectOwn },
  { method: 'delete', path: `/v1/projects/${ownProject}/calendar`, ...projectOwn },
  ...[`/v1/projects/${ownProject}`, `/v1/projects/${ownProject}/instances/${ownInstance}`].flatMap(
    (owner): Endpoint[] => [
      { method: 'get', path: `${owner}/scheduledevents`, ...projectOwn },
      // There is no such event: a project is let in and told so.
      {
        ...{ method: 'post', path: `${owner}/scheduledevents`, body: { StartRequests: [{ EventId: ownInstance }] } },
        ...{ ...projectOwn, own: 404, admin: 404 },
      },
      { method: 'post', path: `${owner}/scheduledevents/address`, ...projectOwn },
      { method: 'get', path: `${owner}/scheduledevents/address`, ...projectOwn },
      { method: 'delete', path: `${owner}/scheduledevents/address`, ...projectOwn },
    ],
  ),
  {
    ...{ method: 'post', path: '/v1/vendordata', body: { 'project-id': ownProject, 'instance-id': ownInstance } },
    ...projectOwn,
  },
  { method: 'get', path: '/metrics', ...adminOnly },
  { method: 'get', path: '/v1/audit', ...adminOnly },
  { method: 'get', path: '/v1/whoami', ...projectOwn, other: 200 },
  { method: 'get', path: '/v1/webhooks', ...adminOnly },
  // No address is allowed, and there is no such webhook: an admin is let in and told so.
  { method: 'post', path: '/v1/webhooks', body: { url: 'http://192.0.2.1/' }, ...adminOnly, admin: 400 },
  { method: 'get', path: `/v1/webhooks/${sessionId}`, ...adminOnly, admin: 404 },
  { method: 'patch', path: `/v1/webhooks/${sessionId}`, body: {}, ...adminOnly, admin: 404 },
  { method: 'delete', path: `/v1/webhooks/${sessionId}`, ...adminOnly, admin: 404 },
  { method: 'post', path: `/v1/webhooks/${sessionId}/secret`, ...adminOnly, admin: 404 },
  { method: 'get', path: '/v1/freezes', ...adminOnly },
  // The body is not a freeze, and there is no such one: an admin is let in and told so.
  { method: 'put', path: '/v1/freezes/christmas', body: {}, ...adminOnly, admin: 422 },
  { method: 'get', path: '/v1/freezes/christmas', ...adminOnly, admin: 404 },
  { method: 'delete', path: '/v1/freezes/christmas', ...adminOnly, admin: 404 },
  { method: 'get', path: `/v1/questions?project_id=${ownProject}`, ...projectOwn },
  // A project that names none sees its own.
  { method: 'get', path: '/v1/questions', ...projectOwn, other: 200 },
  { method: 'get', path: `/v1/events?from=now&project_id=${ownProject}`, ...projectOwn },
];

/** Taking over: the other project's token, its own ID in the body, the own project's record. */
const takeovers = [
  { what: 'an instance', path: `/v1/instance/${ownInstance}`, body: instanceConstraints },
  { what: 'a group', path: `/v1/instance_group/${group}`, body: groupConstraints },
];

type Who = Caller | 'guessed' | 'nobody';

interface Answer {
  readonly who: Who;
  readonly status: number;
}

const answersOf = ({ other, own, admin }: Endpoint): Answer[] => [
  { who: 'nobody', status: 401 },
  { who: 'guessed', status: 401 },
  { who: 'other', status: other },
  { who: 'own', status: own },
  { who: 'admin', status: admin },
];

const isRefusal = ({ status }: Answer): boolean => status === 401 || status === 403;

/** A refused call changes nothing, so all that an endpoint refuses call it in one test. */
const refusals = endpoints.map((endpoint) => ({ ...endpoint, answers: answersOf(endpoint).filter(isRefusal) }));

const grants = endpoints.flatMap((endpoint) =>
  answersOf(endpoint)
    .filter((answer) => !isRefusal(answer))
    .map((answer) => ({ ...endpoint, ...answer })),
);

interface Call {
  readonly method: Endpoint['method'];
  readonly path: string;
  readonly body?: object | undefined;
  readonly caller: Who;
}

const headersOf = async ({ tokenOf }: Mode, caller: Who): Promise<Record<string, string>> => {
  if (caller === 'nobody') return {};
  return { 'X-Auth-Token': caller === 'guessed' ? caller : await tokenOf(caller) };
};

/** The stream of events ends at once, as the service is stopping. */
const callAs = async (mode: Mode, { method, path, body, caller }: Call) => {
  const { http } = apiOn(db(), { identity: mode.identity(), stopping: AbortSignal.abort() });
  return http[method](path)
    .set(await headersOf(mode, caller))
    .send(body);
};

const expectAnswers = async (mode: Mode, { method, path, body }: Endpoint, answers: readonly Answer[]) => {
  for (const { who, status } of answers) {
    const reply = await callAs(mode, { method, path, body, caller: who });
    expect({ who, status: reply.status }).toEqual({ who, status });
    expect(reply.get('WWW-Authenticate')).toBe(status === 401 ? mode.challenge() : undefined);
  }
};

describe.each(modes)('callers that are told $mode', (mode) => {
  const call = (given: Call) => callAs(mode, given);

  it.each(refusals)('$method $path refuses whom it is not for', ({ answers, ...endpoint }) =>
    expectAnswers(mode, endpoint, answers),
  );

  it.each(grants)('$method $path as $who: $status', ({ who, status, ...endpoint }) =>
    expectAnswers(mode, endpoint, [{ who, status }]),
  );

  it.each(takeovers)('another project may not take over $what with its own ID in the body', async ({ path, body }) => {
    const reply = await call({
      method: 'put',
      path,
      body: body({ project_id: '22222222222242228222222222222222' }),
      caller: 'other',
    });
    expect(reply.body).toMatchObject({ status: 403, code: 'NOT_YOUR_PROJECT' });
    const stored = await db().instanceConstraint.findUniqueOrThrow({ where: { instanceKey: keyOf(ownInstance) } });
    expect(stored.projectId).toBe(ownProject);
  });

  it("a project may not store constraints for another's instance that has none yet", async () => {
    await db().instanceConstraint.deleteMany();
    const body = instanceConstraints({ project_id: '22222222-2222-4222-8222-222222222222' });
    const path = `/v1/instance/${ownInstance}`;
    expect(await call({ method: 'put', path, body, caller: 'other' })).toMatchObject({ status: 403 });
    expect(await call({ method: 'delete', path, caller: 'other' })).toMatchObject({ status: 403 });
  });

  it("a project may not put its instance into another's group", async () => {
    const body = instanceConstraints({ group_id: otherGroup });
    const reply = await call({ method: 'put', path: `/v1/instance/${ownInstance}`, body, caller: 'own' });
    expect(reply.status).toBe(422);
  });

  it("an ID in a path without dashes is the token's project all the same", async () => {
    const path = project.replace(ownProject, ownProject.replaceAll('-', '').toUpperCase());
    expect(await call({ method: 'get', path, caller: 'own' })).toMatchObject({ status: 200 });
    expect(await call({ method: 'get', path, caller: 'other' })).toMatchObject({ status: 403 });
  });

  it('a token may come as Authorization: Bearer', async () => {
    const { http } = apiOn(db(), { identity: mode.identity() });
    const admin = await mode.tokenOf('admin');
    await http.get('/v1/maintenance').set('Authorization', `Bearer ${admin}`).expect(200);
    await http.get('/v1/maintenance').set('Authorization', 'Bearer guessed').expect(401);
    await http.get('/v1/maintenance').set('Authorization', `Basic ${admin}`).expect(401);
  });

  it('need no token to see how the service is, and its documents', async () => {
    const { http } = apiOn(db(), { identity: mode.identity() });
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs/']) await http.get(path).expect(200);
  });
});
