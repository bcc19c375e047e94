/** Which requests are refused because their caller has sent many. */
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { limitCalls } from '../../../api/http/limit-calls';
import { createAuthenticator } from '../../../api/identity/authorization';
import type { Identity, Principal } from '../../../api/identity/identity';
import type { ApiError } from '../../../api/problems/problem';
import { idOf } from '../../../rules/cloud/id';

const project = (projectId: string, caller?: string): Principal => ({
  kind: 'project',
  projectId: idOf(projectId),
  ...(caller !== undefined && { caller }),
});

const callers: Readonly<Record<string, Principal>> = {
  admin: { kind: 'admin', caller: 'ann' },
  project: project('11111111-1111-4111-8111-111111111111'),
  projectAsInKeystone: project('11111111111141118111111111111111'),
  bobOfTheProject: project('11111111-1111-4111-8111-111111111111', 'bob'),
};

const identity = (trustsEverybody: boolean): Identity => ({
  name: 'token',
  ways: ['token'],
  trustsEverybody,
  authenticate: (token = '') => Promise.resolve(callers[token] ?? { kind: 'admin' }),
});

// Express tells an error handler by its four parameters.
// eslint-disable-next-line max-params
const replyWithStatus: ErrorRequestHandler = (error: ApiError, _req, res, _next) => {
  res
    .status(error.problem.status)
    .set(error.problem.headers ?? {})
    .json({ code: error.problem.code });
};

/** A service that lets a caller send two requests a minute. */
const service = ({ trustsEverybody = false } = {}) => {
  const app = express();
  app.use('/v1', createAuthenticator(identity(trustsEverybody)), limitCalls(identity(trustsEverybody), 2));
  app.use((_req, res) => {
    res.status(200).end();
  });
  app.use(replyWithStatus);
  const http = supertest(app);
  return (token: string, path = '/v1/maintenance', method: 'get' | 'put' = 'get') =>
    http[method](path).set('x-auth-token', token);
};

const statuses = async (calls: readonly (() => PromiseLike<{ readonly status: number }>)[]): Promise<number[]> => {
  const seen: number[] = [];
  for (const call of calls) seen.push((await call()).status);
  return seen;
};

it('refuses with 429 and Retry-After what a caller sends beyond the limit', async () => {
  const send = service();
  expect(await statuses([() => send('admin'), () => send('admin'), () => send('admin')])).toEqual([200, 200, 429]);
  const { headers, body } = (await send('admin')) as { headers: Record<string, string>; body: unknown };
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(body).toEqual({ code: 'TOO_MANY_CALLS' });
});

it('counts each caller alone, and a project as one in whatever form its ID is', async () => {
  const send = service();
  const tokens = ['admin', 'admin', 'project', 'projectAsInKeystone', 'project', 'bobOfTheProject'];
  expect(await statuses(tokens.map((token) => () => send(token)))).toEqual([200, 200, 200, 200, 429, 200]);
});

it.each([
  { what: 'for a project', path: '/v1/maintenance/s/p' },
  { what: 'for an instance', path: '/v1/maintenance/s/p/i' },
])('never refuses a reply $what', async ({ path }) => {
  const send = service();
  const reply = () => send('project', path, 'put');
  expect(await statuses([reply, reply, reply, reply])).toEqual([200, 200, 200, 200]);
  expect((await send('project')).status).toBe(200);
});

it('refuses nobody where everybody is trusted', async () => {
  const send = service({ trustsEverybody: true });
  expect(await statuses([() => send('admin'), () => send('admin'), () => send('admin')])).toEqual([200, 200, 200]);
});
