/** Names of projects beside their IDs: they are asked for seldom, and nothing depends on them. */
import { type HttpAnswer, type HttpRequest, NoAnswer } from '../../../../clouds/http/exchange';
import { KeystoneAway } from '../../../../clouds/keystone/keystone-errors';
import type { ServiceTokens } from '../../../../clouds/keystone/service-tokens';
import { createProjectNames } from '../../../../clouds/openstack/project-names';

const token = { secret: 'secret', userId: 'parley', expiresAtMs: Infinity, catalog: [] };
const tokens: ServiceTokens = { current: () => Promise.resolve(token), refused: () => undefined };
const authUrl = 'http://keystone.example/v3';

const answerOf = (status: number, body: unknown): HttpAnswer => ({ status, headers: new Map(), body });

const named = ({ url }: HttpRequest): Promise<HttpAnswer> =>
  Promise.resolve(answerOf(200, { project: { name: `name of ${url.split('/').at(-1) ?? ''}` } }));

it('are what Keystone has, each asked for once within minutes', async () => {
  let now = 0;
  const exchange = jest.fn(named);
  const namesOf = createProjectNames({ authUrl, tokens, exchange, nowMs: () => now });
  expect(Object.fromEntries(await namesOf(['a', 'b', 'a']))).toEqual({ a: 'name of a', b: 'name of b' });
  await namesOf(['a', 'b']);
  expect(exchange).toHaveBeenCalledTimes(2);
  now = 601_000;
  await namesOf(['a']);
  expect(exchange).toHaveBeenCalledTimes(3);
});

it.each<{ situation: string; answer: () => Promise<HttpAnswer> }>([
  { situation: 'the service may not look', answer: () => Promise.resolve(answerOf(403, { error: { message: 'no' } })) },
  { situation: 'there is no such project', answer: () => Promise.resolve(answerOf(404, undefined)) },
  { situation: 'something else answers', answer: () => Promise.resolve(answerOf(200, '<html>')) },
  {
    situation: 'nothing answers',
    answer: () => Promise.reject(new NoAnswer({ method: 'GET', url: authUrl }, 'none')),
  },
])('are left out where $situation, and asked for again after a minute', async ({ answer }) => {
  let now = 0;
  const exchange = jest.fn(answer);
  const namesOf = createProjectNames({ authUrl, tokens, exchange, nowMs: () => now });
  expect((await namesOf(['a'])).size).toBe(0);
  await namesOf(['a']);
  expect(exchange).toHaveBeenCalledTimes(1);
  now = 61_000;
  await namesOf(['a']);
  expect(exchange).toHaveBeenCalledTimes(2);
});

it('are left out where the service cannot log in', async () => {
  const away = { ...tokens, current: () => Promise.reject(new KeystoneAway('away')) };
  expect((await createProjectNames({ authUrl, tokens: away, exchange: named })(['a'])).size).toBe(0);
});

it('are not waited for longer than a moment, and there for the next one who asks', async () => {
  let answer: (answered: HttpAnswer) => void = () => undefined;
  const exchange = () => new Promise<HttpAnswer>((resolve) => (answer = resolve));
  const namesOf = createProjectNames({ authUrl, tokens, exchange, waitMs: 5 });
  expect((await namesOf(['a'])).size).toBe(0);
  answer(answerOf(200, { project: { name: 'web' } }));
  expect(Object.fromEntries(await namesOf(['a']))).toEqual({ a: 'web' });
});

it('are asked for a few at a time, however many are wanted', async () => {
  const exchange = jest.fn(named);
  const namesOf = createProjectNames({ authUrl, tokens, exchange });
  const many = Array.from({ length: 50 }, (_, n) => `p${n}`);
  expect((await namesOf(many)).size).toBe(20);
  expect((await namesOf(many)).size).toBe(40);
});
