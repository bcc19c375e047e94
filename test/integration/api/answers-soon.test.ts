/** What is on record is answered though Temporal does not answer; what could not be recorded says so. */
import { openDatabase } from '../../../prisma/database';
import { apiOn, aSessionRequest, useDatabase } from './api-under-test';

const { db } = useDatabase();

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
    const { resumeRequestId, deleteRequestedAt } = await db().session.findUniqueOrThrow({ where: { id } });
    expect(resumeRequestId ?? deleteRequestedAt).not.toBeNull();
  });
});

it('answers 503 with Retry-After where the database does not answer, so that nothing is recorded', async () => {
  const away = openDatabase({ url: 'postgresql://nobody:none@127.0.0.1:1/none' });
  const reply = await apiOn(away).http.post('/v1/maintenance').send(aSessionRequest()).expect(503);
  expect(reply.headers['retry-after']).toBe('5');
  expect(reply.body).toMatchObject({ code: 'NOT_RECORDED' });
});
