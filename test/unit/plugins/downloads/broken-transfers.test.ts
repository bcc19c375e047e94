/** Servers and connections that end a transfer in every way but the right one: each ends it for us, with its cause. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllowedSource } from '../../../../plugins/addresses/allowed-source';
import { shownUrl } from '../../../../plugins/addresses/shown-url';
import { createDownloads } from '../../../../plugins/downloads/downloads';
import { createPackagePolicy } from '../../../../plugins/downloads/package-sources';

const sessionId = '5f6c3c57-7d0b-4c0e-9a53-6d2f3f1c0002';
const body = 'one two three';
const sha256 = createHash('sha256').update(body).digest('hex');

/** The exact bytes with which a server answers, and whether it then closes the connection. */
interface Answer {
  readonly text: string;
  readonly then: 'end' | 'break' | 'silence';
}

let server: Server;
let root: string;
let answers: Answer[];
const sockets = new Set<Socket>();

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'parley-broken-'));
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const { text, then } = answers.length > 1 ? answers.shift()! : answers[0]!;
      socket.write(text.replace('PORT', String((server.address() as AddressInfo).port)), () => {
        if (then === 'end') socket.end();
        if (then === 'break') socket.resetAndDestroy();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await rm(root, { recursive: true, force: true });
});

const provide = (given: readonly Answer[], { fragment = '', downloadSeconds = 60, silenceMs = 30_000 } = {}) => {
  answers = [...given];
  const { port } = server.address() as AddressInfo;
  const limits = { downloadBytes: 1024, downloadSeconds, unpackedBytes: 1024, unpackedEntries: 9, unpackedDepth: 9 };
  const downloads = createDownloads({
    ...{ root, silenceMs, limits: { ...limits, unpackedRatio: 9 } },
    policy: createPackagePolicy([parseAllowedSource(`http://127.0.0.1:${port}/`)!]),
    resolveHost: () => Promise.reject(new Error('there is no name')),
    ...{ proxies: {}, proxyResolves: false },
  });
  const wanted = [{ url: `http://127.0.0.1:${port}/file${fragment}` }];
  const attempt = () => downloads.provide({ sessionId, wanted, signal: new AbortController().signal });
  return { attempt, remove: () => downloads.remove(sessionId) };
};

interface Failing extends Answer {
  readonly what: string;
  readonly name: unknown;
  readonly because: RegExp;
  readonly fragment?: string;
  readonly silenceMs?: number;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const away = 'SourceAway';
const refused = 'DownloadRefused';

it.each([
  { what: 'its length', text: `${ok}Content-Length: 13\r\n\r\n${body}`, then: 'silence', fragment: '' },
  { what: 'its last chunk', text: `${ok}Transfer-Encoding: chunked\r\n\r\nd\r\n${body}\r\n0\r\n\r\n`, then: 'silence' },
  { what: 'its digest', text: `${ok}\r\n${body}`, then: 'end', fragment: `#sha256=${sha256}` },
] as const)('a body is whole by $what', async ({ text, then, ...options }) => {
  const { attempt, remove } = provide([{ text, then }], options);
  expect((await attempt()).files).toEqual([{ fileName: 'file', bytes: 13, sha256 }]);
  await remove();
});

it.each<Failing>([
  {
    what: 'less than its length',
    ...{ text: `${ok}Content-Length: 14\r\n\r\n${body}`, then: 'end', name: away, because: /the connection broke off/ },
  },
  {
    what: 'no last chunk',
    ...{
      text: `${ok}Transfer-Encoding: chunked\r\n\r\nd\r\n${body}\r\n`,
      then: 'end',
      name: away,
      because: /broke off/,
    },
  },
  {
    what: 'neither length nor chunks',
    ...{ text: `${ok}\r\n${body}`, then: 'end', name: refused, because: /ends after 13 bytes.*Content-Length/ },
  },
  {
    what: 'neither, and a digest that it does not have yet',
    ...{
      text: `${ok}\r\none two`,
      then: 'end',
      fragment: `#sha256=${sha256}`,
      name: away,
      because: /ends after 7 bytes/,
    },
  },
  {
    what: 'a connection that is reset',
    ...{ text: `${ok}Content-Length: 14\r\n\r\n${body}`, then: 'break', name: away, because: /cannot be fetched: / },
  },
  {
    what: 'no answer but the end of the connection',
    ...{ text: '', then: 'end', name: away, because: /cannot be fetched: / },
  },
  {
    what: 'another protocol',
    ...{ text: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n', then: 'silence' },
    ...{ name: refused, because: /answered with status 101/ },
  },
  {
    what: 'another protocol that nobody names',
    ...{ text: 'HTTP/1.1 101 Switching Protocols\r\n\r\n', then: 'silence', silenceMs: 200 },
    ...{ name: expect.stringMatching(/Away|Refused/) as string, because: /breaks the rules of HTTP/ },
  },
  {
    what: 'silence within a body without length',
    ...{ text: `${ok}\r\n${body}`, then: 'silence', silenceMs: 200, name: away, because: /it sent nothing for 0.2 s/ },
  },
  {
    what: 'silence within a body with its length',
    ...{ text: `${ok}Content-Length: 14\r\n\r\n${body}`, then: 'silence', silenceMs: 200, name: away },
    because: /it sent nothing for 0.2 s/,
  },
  {
    what: 'silence from the beginning',
    ...{ text: '', then: 'silence', silenceMs: 200, name: away, because: /it sent nothing for 0.2 s/ },
  },
  {
    what: 'a redirect with a password',
    text: 'HTTP/1.1 302 Found\r\nLocation: http://user:hunter2@127.0.0.1:PORT/file\r\nContent-Length: 0\r\n\r\n',
    ...{ then: 'end', name: refused, because: /^http:\/\/127\.0\.0\.1:\d+\/file contains a user name or password/ },
  },
  {
    what: 'a redirect with a password to no URL',
    text: 'HTTP/1.1 302 Found\r\nLocation: http://user:hun/hunter2@127.0.0.1/file\r\nContent-Length: 0\r\n\r\n',
    ...{ then: 'end', name: refused, because: /^http:… is not a URL/ },
  },
])('$what is a failure with its cause', async ({ text, then, name, because, ...options }) => {
  const failure: unknown = await provide([{ text, then }], options)
    .attempt()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ name, message: expect.stringMatching(because) as string });
  expect(String(failure)).not.toContain('hunter2');
});

it.each([
  { what: 'without length', text: `${ok}\r\n${body}` },
  { what: 'with its length', text: `${ok}Content-Length: 14\r\n\r\n${body}` },
])('the time that a session has ends a body $what, and says whose', async ({ text }) => {
  const failure = provide([{ text, then: 'silence' }], { downloadSeconds: 0.3 }).attempt();
  await expect(failure).rejects.toMatchObject({ name: refused });
  await expect(failure).rejects.toThrow(/PARLEY_DOWNLOAD_SECONDS.*\/file was not fetched within the time limit/);
});

it('what failed before is told when the time is over', async () => {
  const busy: Answer = { text: 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n', then: 'end' };
  const failuresWithin = async (downloadSeconds: number): Promise<readonly unknown[]> => {
    const { attempt, remove } = provide([busy], { downloadSeconds });
    const failures: unknown[] = [];
    do failures.push(await attempt().catch((error: unknown) => error));
    while ((failures.at(-1) as Error).name === away);
    await remove();
    return failures;
  };
  let failures = await failuresWithin(1);
  // A machine that stands still for a moment has no answer within that time.
  for (let seconds = 2; failures.length === 1; seconds *= 2) failures = await failuresWithin(seconds);
  expect(String(failures.at(-1))).toMatch(/PARLEY_DOWNLOAD_SECONDS.*at last: .*answered with status 503/);
});

it.each([
  ['http://h.example/a@1.0/b?token=x#y', 'http://h.example/a@1.0/b'],
  ['https://me:pw@h.example/a?b', 'https://h.example/a'],
  ['https://me:p%40w@h.example/a', 'https://h.example/a'],
  ['http:\\\\me:pw@h.example\\a', 'http://h.example/a'],
  ['http:/\n/me:pw@h.example/a', 'http://h.example/a'],
  ['http://me:p?w@h.example/a', 'http:…'],
  ['//me:pw@h.example/a', '…'],
])('%j is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});
