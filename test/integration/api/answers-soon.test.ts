/**
 * Requests whose facts are recorded are answered while Temporal is down. A request that cannot be recorded without
 * database or cloud is refused with that reason.
 */
import { NoAnswer } from '../../../clouds/http/exchange';
import { ServiceError } from '../../../clouds/openstack/http/service-error';
import { openDatabase, takeLock } from '../../../prisma/database';
import { aGate } from '../events/a-gate';
import {
  apiOn,
  aSessionRequest,
  group,
  groupConstraints,
  instanceConstraints,
  nobody,
  ownInstance,
  ownProject,
  useDatabase,
} from './api-under-test';

const { db, url } = useDatabase();

const createFailed = async (): Promise<string> => {
  const reply = await apiOn(db()).http.post('/v1/maintenance').send(aSessionRequest()).expect(200);
  const { session_id: id } = reply.body as { session_id: string };
  await db().session.update({ where: { id }, data: { state: 'MAINTENANCE_FAILED' } });
  return id;
};

describe('while Temporal does not answer', () => {
  const silent = () => apiOn(db(), { temporalReachable: 'neverAnswers' });

  it('a session that is on record is answered with 200', async () => {
    await silent().http.post('/v1/maintenance').send(aSessionRequest()).expect(200);
    expect(await db().session.findFirst()).toMatchObject({ startedAt: null });
  });

  it.each(['put', 'delete'] as const)('a %s that is on record is answered with 200', async (method) => {
    const id = await createFailed();
    await silent().http[method](`/v1/maintenance/${id}`).expect(200);
    const { continueRequestId, deleteRequestedAt } = await db().session.findUniqueOrThrow({ where: { id } });
    expect(continueRequestId ?? deleteRequestedAt).not.toBeNull();
  });
});

it('answers 503 with Retry-After where the database does not answer, so that nothing is recorded', async () => {
  const away = openDatabase({ url: 'postgresql://nobody:none@127.0.0.1:1/none' });
  const reply = await apiOn(away).http.post('/v1/maintenance').send(aSessionRequest()).expect(503);
  expect(reply.headers['retry-after']).toBe('5');
  expect(reply.body).toMatchObject({ code: 'NOT_RECORDED' });
});

describe('while all connections to the database are used', () => {
  const requests = [
    { method: 'get', path: '/v1/maintenance', body: undefined },
    {
      method: 'put',
      path: `/v1/maintenance/${nobody}/${ownProject}`,
      body: { session_id: nobody, state: 'ACK_MAINTENANCE' },
    },
    { method: 'put', path: `/v1/instance/${ownInstance}`, body: instanceConstraints() },
  ] as const;

  it.each(requests)('$method $path is 503 with Retry-After, and stores nothing', async ({ method, path, body }) => {
    const limits = { connectionMs: 300, poolMs: 300, transactionMs: 30_000 };
    const crowded = openDatabase({ url: url(), poolSize: 1, limits });
    const gate = aGate();
    const taken = crowded.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      await gate.passed;
    });
    const reply = await apiOn(crowded).http[method](path).send(body).expect(503);
    expect(reply.headers['retry-after']).toBe('5');
    expect(reply.body).toMatchObject({ code: 'NOT_RECORDED' });
    gate.open();
    await taken;
    await crowded.$disconnect();
    expect(await db().instanceConstraint.count()).toBe(0);
  });

  it('is 503 too where a lock is not had in time', async () => {
    const hurried = openDatabase({ url: url(), limits: { connectionMs: 5_000, transactionMs: 500 } });
    const gate = aGate();
    const locked = db().$transaction(
      async (tx) => {
        await takeLock(tx, 'sessionLimit');
        await gate.passed;
      },
      { timeout: 60_000 },
    );
    const reply = await apiOn(hurried).http.post('/v1/maintenance').send(aSessionRequest()).expect(503);
    expect(reply.body).toMatchObject({ code: 'NOT_RECORDED' });
    gate.open();
    await locked;
    await hurried.$disconnect();
    expect(await db().session.count()).toBe(0);
  });
});

describe('while the cloud does not answer', () => {
  const noAnswer = new NoAnswer({ method: 'GET', url: 'http://nova.example/os-services' }, 'none within 15 s');
  const refused = new ServiceError('Nova answered 403 to GET /os-services: not with this role', 403, 'not so');
  const requests = [
    { method: 'post', path: '/v1/maintenance', body: aSessionRequest() },
    { method: 'put', path: `/v1/instance/${ownInstance}`, body: instanceConstraints() },
    { method: 'delete', path: `/v1/instance/${ownInstance}`, body: undefined },
    { method: 'put', path: `/v1/instance_group/${group}`, body: groupConstraints() },
    { method: 'delete', path: `/v1/instance_group/${group}`, body: undefined },
  ] as const;

  it.each(requests)('$method $path is 503 that names the cloud, and stores nothing', async ({ method, path, body }) => {
    const { http, logged } = apiOn(db(), { cloudError: noAnswer });
    const reply = await http[method](path).send(body).expect(503);
    expect(reply.headers['retry-after']).toBe('5');
    expect(reply.body).toMatchObject({
      code: 'CLOUD_AWAY',
      detail: expect.stringContaining('the recorded cloud') as unknown,
    });
    expect(JSON.stringify(reply.body)).not.toContain('nova.example');
    expect(logged.join()).toContain(noAnswer.message);
    const stored = [db().session.count(), db().instanceConstraint.count(), db().groupConstraint.count()];
    expect(await Promise.all(stored)).toEqual([0, 0, 0]);
  });

  it('is 503 too where the cloud refuses what the service asks, since the caller can mend nothing', async () => {
    const { http } = apiOn(db(), { cloudError: refused });
    await http.post('/v1/maintenance').send(aSessionRequest()).expect(503);
  });
});
