import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import { fixedCredentials } from '../../../../../clouds/kubernetes/client/access/credentials';
import {
  createKubernetesClient,
  type KubernetesClient,
} from '../../../../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../../../../clouds/kubernetes/client/kubernetes-error';
import { defineResource, type ObjectOf } from '../../../../../clouds/kubernetes/client/resource';
import { createTransport } from '../../../../../clouds/kubernetes/client/transport';
import { follow, pauseMs } from '../../../../../clouds/kubernetes/client/watch';

const things = defineResource({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  isNamespaced: true,
  fields: { spec: Type.Object({ size: Type.Integer() }) },
});
type Thing = ObjectOf<typeof things>;

const aThing = (name: string, resourceVersion = '1', size = 1): object => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'n', resourceVersion, managedFields: [{ manager: 'long' }] },
  spec: { size, colour: 'red' },
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A stand-in for the API server: gives these answers in turn, and keeps the calls. */
let server: Server;
let answers: Answer[];
let calls: { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string }[];
let client: KubernetesClient;
let forgotten: number;

beforeEach(async () => {
  answers = [];
  calls = [];
  forgotten = 0;
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      calls.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, body });
      (answers.shift() ?? status(500, { message: 'no further answer' }))(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = { ...fixedCredentials({ token: 'secret' }), forget: () => (forgotten += 1) };
  const access = { server: `http://127.0.0.1:${port}`, isVerified: true, credentials, files: [] };
  client = createKubernetesClient(createTransport(() => access, { timeoutSeconds: 5, proxies: {} }));
});

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const json =
  (code: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const status = (code: number, fields: object, headers = {}): Answer =>
  json(code, { kind: 'Status', code, ...fields }, headers);
const page = (names: string[], more = ''): Answer =>
  json(200, { metadata: { resourceVersion: '9', continue: more }, items: names.map((name) => aThing(name)) });

describe('a request to the API server', () => {
  it('shows the token, and keeps only the fields that are read', async () => {
    answers = [json(200, aThing('a'))];
    await expect(client.get(things, { name: 'a', namespace: 'n' })).resolves.toEqual({
      metadata: { name: 'a', namespace: 'n', resourceVersion: '1' },
      spec: { size: 1 },
    });
    expect(calls).toMatchObject([
      { line: 'GET /apis/example.org/v1/namespaces/n/things/a', headers: { authorization: 'Bearer secret' } },
    ]);
  });

  it('tells the time of the API server', async () => {
    answers = [json(200, aThing('a'), { date: 'Tue, 01 Jan 2030 00:00:00 GMT' })];
    await client.get(things, { name: 'a', namespace: 'n' });
    expect(new Date(client.nowMs()).getUTCFullYear()).toBe(2030);
  });

  it('finds no object where there is none, and an error where the kind is unknown', async () => {
    const unknown: Answer = (_request, response) =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
    answers = [status(404, { reason: 'NotFound' }), unknown];
    await expect(client.get(things, { name: 'a', namespace: 'n' })).resolves.toBeUndefined();
    await expect(client.get(things, { name: 'a', namespace: 'n' })).rejects.toThrow('answered 404 to GET /apis');
  });

  it('names the field of an object that is not as it must be', async () => {
    answers = [json(200, { metadata: { name: 'a' }, spec: { size: 'big' } })];
    await expect(client.get(things, { name: 'a' })).rejects.toThrow('a Thing whose /spec/size must be an integer');
  });

  it('reads a list page by page, and from the start when the pages are too old', async () => {
    answers = [page(['a'], 'p2'), status(410, { reason: 'Expired' }), page(['b'], 'p2'), page(['c'])];
    const { items, resourceVersion } = await client.list(things, { namespace: 'n', labelSelector: 'x=y' });
    expect([items.map(({ metadata }) => metadata.name), resourceVersion]).toEqual([['b', 'c'], '9']);
    expect(calls.map(({ line }) => line.split('?')[1])).toEqual([
      'labelSelector=x%3Dy&limit=500',
      'labelSelector=x%3Dy&limit=500&continue=p2',
      'labelSelector=x%3Dy&limit=500',
      'labelSelector=x%3Dy&limit=500&continue=p2',
    ]);
  });

  it('takes gzip', async () => {
    answers = [
      ({ headers }, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': headers['accept-encoding'] })
          .end(gzipSync(JSON.stringify(aThing('a')))),
    ];
    await expect(client.get(things, { name: 'a' })).resolves.toMatchObject({ spec: { size: 1 } });
  });

  it('asks for a new credential once when the first is refused', async () => {
    answers = [status(401, {}), json(200, aThing('a')), status(401, {}), status(401, { message: 'Unauthorized' })];
    await client.get(things, { name: 'a' });
    expect(forgotten).toBe(1);
    await expect(client.get(things, { name: 'a' })).rejects.toThrow('answered 401');
  });

  it('reads again after a passing error, and makes a change again only when nothing was done', async () => {
    answers = [status(503, {}, { 'retry-after': '0' }), json(200, aThing('a'))];
    await client.get(things, { name: 'a' });
    answers = [status(429, {}, { 'retry-after': '0' }), json(201, aThing('b'))];
    await client.create(things, { metadata: { name: 'b', namespace: 'n' }, spec: { size: 1 } });
    answers = [status(500, { message: 'away' })];
    await expect(client.create(things, { metadata: { name: 'b' } })).rejects.toThrow('away');
    expect(calls).toHaveLength(5);
  });

  it('hands a refusal over at once where the caller wants no second try', async () => {
    const causes = [{ reason: 'DisruptionBudget', message: 'the budget' }];
    answers = [status(429, { message: 'no', reason: 'TooManyRequests', details: { causes } }, { 'retry-after': '10' })];
    const refused = await client.call({ method: 'POST', path: '/x', body: {} }, 1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(KubernetesError);
    expect(refused).toMatchObject({
      status: 429,
      details: { said: 'no', reason: 'TooManyRequests', causes, retryAfterSeconds: 10 },
    });
  });

  it('names the kind of a patch, and asks for a dry run', async () => {
    answers = [json(200, aThing('a'))];
    await client.patch(
      things,
      { name: 'a', namespace: 'n' },
      { patch: {}, type: 'strategic', subresource: 'status', isDryRun: true },
    );
    expect(calls).toMatchObject([
      {
        line: 'PATCH /apis/example.org/v1/namespaces/n/things/a/status?dryRun=All&fieldManager=parley',
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
      },
    ]);
  });

  it('deletes one object by its UID, and says whether it was there', async () => {
    answers = [status(200, {}), status(404, {})];
    await expect(client.delete(things, { name: 'a' }, { uid: 'u' })).resolves.toBe(true);
    await expect(client.delete(things, { name: 'a' })).resolves.toBe(false);
    expect(JSON.parse(calls[0]!.body)).toMatchObject({ preconditions: { uid: 'u' } });
    answers = [(_request, response) => response.writeHead(404).end('404 page not found')];
    await expect(client.delete(things, { name: 'a' })).rejects.toThrow('404 page not found');
  });
});

describe('following a kind', () => {
  const events =
    (...told: object[]): Answer =>
    (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(told.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const put = (name: string, version: string) => ({ type: 'MODIFIED', object: aThing(name, version) });
  const bookmark = { type: 'BOOKMARK', object: { kind: 'Thing', metadata: { resourceVersion: '20' } } };
  const tooOld = { type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old', reason: 'Expired' } };

  const followUntil = async (enough: (seen: readonly string[]) => boolean): Promise<string[]> => {
    const seen: string[] = [];
    const stop = new AbortController();
    const say = (words: string): void => {
      seen.push(words);
      if (enough(seen)) stop.abort();
    };
    const names = (all: readonly Thing[]): string => all.map(({ metadata }) => metadata.name).join();
    const follower = {
      listed: (all: readonly Thing[]) => say(`listed ${names(all)}`),
      put: ({ metadata }: Thing) => say(`put ${metadata.name}`),
      drop: ({ metadata }: Thing) => say(`drop ${metadata.name}`),
      broken: () => say('broken'),
    };
    await follow(client, things, { follower, signal: stop.signal });
    return seen;
  };
  const watches = (): (string | null)[] =>
    calls
      .map(({ line }) => new URLSearchParams(line.split('?')[1]))
      .filter((query) => query.has('watch'))
      .map((query) => query.get('resourceVersion'));

  it('lists, watches, and goes on where an ended watch was, with the last bookmark', async () => {
    answers = [
      page(['a']),
      events(put('b', '10'), { type: 'DELETED', object: aThing('a', '11') }, bookmark),
      events(put('c', '21')),
    ];
    const seen = await followUntil((all) => all.includes('put c'));
    expect(seen).toEqual(['listed a', 'put b', 'drop a', 'put c']);
    expect(watches()).toEqual(['9', '20']);
  });

  it('lists again when the server has forgotten the state', async () => {
    answers = [page(['a']), events(tooOld), page(['b']), status(410, {}), page(['c']), events(put('d', '10'))];
    const seen = await followUntil((all) => all.includes('put d'));
    expect(seen).toEqual(['listed a', 'listed b', 'listed c', 'put d']);
  });

  it('goes on from the last event after a broken connection', async () => {
    const cut: Answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`${JSON.stringify(put('b', '10'))}\n{"type":"MODI`, () => response.destroy());
    };
    answers = [page(['a']), cut, events(put('c', '11'))];
    const seen = await followUntil((all) => all.includes('put c'));
    expect(seen).toEqual(['listed a', 'put b', 'broken', 'put c']);
    expect(watches()).toEqual(['9', '10']);
  });

  it('pauses before each list where the server forgets every state at once', async () => {
    answers = [page(['a']), status(410, {}), page(['b']), status(410, {}), page(['c'])];
    const begun = performance.now();
    await followUntil((all) => all.includes('listed c'));
    expect(performance.now() - begun).toBeGreaterThan(190);
  });

  const asking = (retryAfterSeconds: number) =>
    new KubernetesError('words', 429, { said: 'no', causes: [], retryAfterSeconds });

  it.each([
    { after: 'a first failure', error: new Error('away'), failures: 1, ms: 500 },
    { after: 'many failures', error: new Error('away'), failures: 20, ms: 30_000 },
    { after: 'an error that asks for a time', error: asking(7), failures: 1, ms: 7_000 },
    { after: 'an error that asks for an hour', error: asking(3_600), failures: 1, ms: 30_000 },
  ])('pauses $ms ms after $after', ({ error, failures, ms }) => {
    expect(pauseMs(error, failures)).toBe(ms);
  });
});
