/** Every way on which the service speaks HTTP to others leads by the proxies of the settings, and no other does. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { createExchange } from '../../../clouds/http/exchange';
import { fixedCredentials } from '../../../clouds/kubernetes/client/access/credentials';
import { createTransport } from '../../../clouds/kubernetes/client/transport';
import { post } from '../../../events/webhooks/post';
import { createReceiverPolicy } from '../../../events/webhooks/receivers';
import type { ProxySettings } from '../../../outgoing/proxies';
import { parseAllowedSource } from '../../../plugins/addresses/allowed-source';
import type { ResolveHost } from '../../../plugins/addresses/resolve-host';
import { openResponse } from '../../../plugins/downloads/open-response';
import { createPackagePolicy } from '../../../plugins/downloads/package-sources';
import { followsProxies } from '../../../telemetry/tracing/tracing';
import { makeCertificates } from '../../endpoints/certificates';
import { type CountingProxy, startProxy } from './counting-proxy';

let folder: string;
let ca: string;
let pair: { readonly cert: Buffer; readonly key: Buffer };
let plain: Server;
let secure: Server;
let proxy: CountingProxy;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const httpUrl = (): string => `http://receiver.test:${portOf(plain)}/`;
const httpsUrl = (): string => `https://localhost:${portOf(secure)}/`;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-proxies-'));
  const certificates = makeCertificates(folder);
  ca = certificates.ca;
  const { key, cert } = certificates.server;
  pair = { key: readFileSync(key), cert: readFileSync(cert) };
  const answer = (_: unknown, reply: { end: (text: string) => void }): void => reply.end('{}');
  plain = createPlainServer(answer).listen(0, '127.0.0.1');
  secure = createSecureServer(pair, answer).listen(0, '127.0.0.1');
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
});
beforeEach(async () => {
  proxy = await startProxy();
});
afterEach(() => proxy.stop());
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

const both = (): ProxySettings => ({ httpProxy: proxy.url, httpsProxy: proxy.url });
const exchangeBy = (proxies: ProxySettings, timeoutSeconds = 30) =>
  createExchange({ timeoutSeconds, caFile: ca, proxies });
const noName: ResolveHost = () => Promise.reject(new Error('this machine knows no names'));

describe('clouds and issuers of tokens', () => {
  it('are reached by the proxies, with the certificates that the settings name', async () => {
    const exchange = exchangeBy(both());
    expect(await exchange({ method: 'GET', url: httpsUrl() })).toMatchObject({ status: 200 });
    expect(await exchange({ method: 'GET', url: httpUrl() })).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([`CONNECT localhost:${portOf(secure)}`, `GET ${httpUrl()}`]);
  });

  it('are reached by a proxy that speaks TLS itself, where this machine trusts it', async () => {
    const secured = await startProxy(pair);
    const exchange = exchangeBy({ httpProxy: secured.url });
    const urls = [httpsUrl(), httpUrl()];
    const trusted = getCACertificates('default');
    for (const url of urls) await expect(exchange({ method: 'GET', url })).rejects.toThrow(secured.url);
    try {
      setDefaultCACertificates([...trusted, readFileSync(ca, 'utf8')]); // as NODE_EXTRA_CA_CERTS does
      for (const url of urls) expect(await exchange({ method: 'GET', url })).toMatchObject({ status: 200 });
    } finally {
      setDefaultCACertificates(trusted);
    }
    expect(secured.asked).toEqual([`CONNECT localhost:${portOf(secure)}`, `GET ${httpUrl()}`]);
    await secured.stop();
  });

  it('are told the login of the address by no name but the proxy', async () => {
    const withLogin = proxy.url.replace('//', '//me:secret@');
    await exchangeBy({ httpsProxy: withLogin })({ method: 'GET', url: httpsUrl() });
    expect(proxy.login).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`);
  });

  it.each(['localhost', '.local,localhost', '*', 'other.test localhost'])(
    'are reached directly where NO_PROXY is %s',
    async (noProxy) => {
      expect(await exchangeBy({ ...both(), noProxy })({ method: 'GET', url: httpsUrl() })).toMatchObject({
        status: 200,
      });
      expect(proxy.asked).toEqual([]);
    },
  );

  it('are reached by the proxy of https: alone, where there is no other', async () => {
    const exchange = exchangeBy({ httpsProxy: proxy.url });
    await exchange({ method: 'GET', url: `http://127.0.0.1:${portOf(plain)}/` });
    expect(proxy.asked).toEqual([]);
  });
});

describe('a proxy that is in the way is named', () => {
  it.each([
    { answer: 407 as const, url: httpsUrl, because: /the proxy http:\/\/127.* refused CONNECT to localhost:\d+: 407/ },
    { answer: 403 as const, url: httpsUrl, because: /the proxy http:\/\/127.* refused CONNECT to localhost:\d+: 403/ },
    { answer: 407 as const, url: httpUrl, because: /the proxy http:\/\/127.* refused GET to http:\/\/receiver.*: 407/ },
    { answer: 'silence' as const, url: httpsUrl, because: /the proxy http:.* did not answer CONNECT to localhost/ },
    {
      answer: 'silence' as const,
      url: httpUrl,
      because: /the proxy http:.* did not answer GET http:\/\/receiver.test.* within 0.9 s: it is silent, or/,
    },
  ])('where it answers $answer: $because', async ({ answer, url, because }) => {
    proxy.answer = answer;
    const exchange = exchangeBy({ httpProxy: proxy.url.replace('//', '//me:secret@') }, answer === 'silence' ? 1 : 30);
    const failure = await exchange({ method: 'GET', url: url() }).catch(String);
    expect(failure).toMatch(because);
    expect(failure).not.toContain('secret');
    proxy.answer = undefined;
    expect(await exchange({ method: 'GET', url: url() })).toMatchObject({ status: 200 });
  });

  it.each([{ url: httpsUrl }, { url: httpUrl }])('where it is down', async ({ url }) => {
    const gone = await startProxy();
    await gone.stop();
    const exchange = exchangeBy({ httpProxy: gone.url });
    await expect(exchange({ method: 'GET', url: url() })).rejects.toThrow(
      `the proxy ${gone.url} cannot be reached: connect ECONNREFUSED`,
    );
  });
});

it('the API server of Kubernetes is reached by the proxies, and by the proxy of its kubeconfig before these', async () => {
  const own = await startProxy();
  const access = {
    server: `https://localhost:${portOf(secure)}`,
    ca: readFileSync(ca, 'utf8'),
    isVerified: true,
    credentials: fixedCredentials({ token: 't' }),
    files: [],
  };
  for (const given of [access, { ...access, proxy: own.url }]) {
    const transport = createTransport(() => given, { timeoutSeconds: 30, proxies: both() });
    expect(await transport.exchange({ method: 'GET', path: '/version' })).toMatchObject({ status: 200 });
    await transport.close();
  }
  expect([proxy.asked.length, own.asked.length]).toEqual([1, 1]);
  await own.stop();
});

describe('webhooks', () => {
  const send = ({ resolve = noName, proxyResolves = false, noProxy = '' } = {}) => {
    const policy = createReceiverPolicy({ sources: [parseAllowedSource(httpUrl())!], networks: [] });
    const proxies = { ...both(), noProxy };
    const signal = new AbortController().signal;
    return post(
      { policy, resolveHost: resolve, proxies, proxyResolves },
      { url: httpUrl(), headers: {}, body: '{}', signal },
    );
  };
  const answer = (address: string) => () => Promise.resolve([{ address, family: 4 }]);

  it('go by the proxies, which are told the name', async () => {
    expect(await send({ resolve: answer('192.0.2.1') })).toEqual({ kind: 'status', status: 200 });
    expect(proxy.asked).toEqual([`POST ${httpUrl()}`]);
  });

  it('to a private address are sent to no proxy either', async () => {
    for (const address of ['10.1.2.3', '127.0.0.1', '169.254.169.254']) {
      for (const proxyResolves of [false, true]) {
        expect(await send({ resolve: answer(address), proxyResolves })).toMatchObject({ kind: 'forbidden' });
      }
    }
    expect(proxy.asked).toEqual([]);
  });

  it('to a name that only the proxy knows need PARLEY_PROXY_RESOLVES', async () => {
    expect(await send()).toMatchObject({
      kind: 'none',
      because: expect.stringMatching(/receiver.test cannot be resolved.*PARLEY_PROXY_RESOLVES/) as string,
    });
    expect(await send({ proxyResolves: true })).toEqual({ kind: 'status', status: 200 });
    expect(proxy.asked).toHaveLength(1);
    expect(await send({ proxyResolves: true, noProxy: '.test' })).toMatchObject({
      kind: 'none',
      because: /cannot be resolved/,
    });
  });
});

it('packages are fetched by the proxies, and each redirect is judged', async () => {
  const source = {
    policy: createPackagePolicy([parseAllowedSource(httpUrl())!]),
    resolveHost: noName,
    proxies: both(),
    proxyResolves: true,
  };
  const response = await openResponse(source, `${httpUrl()}package.tar`, new AbortController().signal);
  response.body.destroy();
  expect(response.status).toBe(200);
  expect(proxy.asked).toEqual([`GET ${httpUrl()}package.tar`]);
  proxy.answer = 503;
  await expect(openResponse(source, httpUrl(), new AbortController().signal)).rejects.toThrow('status 503');
});

const root = path.join(__dirname, '../../..');
const runTypeScript = ['--require', path.join(root, 'test/run/run-typescript.cjs')];

it('the command line reaches the API by the proxies, and an API on this machine directly', async () => {
  const list = (url: string) => {
    const env = { PATH: process.env['PATH'], PARLEY_URL: url, PARLEY_TOKEN: 't', http_proxy: proxy.url };
    return promisify(execFile)(process.execPath, [...runTypeScript, 'cli/main.ts', 'list'], { cwd: root, env }).catch(
      String,
    );
  };
  await list(`http://127.0.0.1:${portOf(plain)}`);
  expect(proxy.asked).toEqual([]);
  await list(httpUrl());
  expect(proxy.asked[0]).toContain(`GET ${httpUrl()}`);
});

it('traces are sent by the proxies; a Node.js that cannot do so says it', async () => {
  const script = path.join(root, 'test/unit/telemetry/tracing/send-spans.ts');
  const args = [httpUrl().replace(/\/$/, ''), '1c6a1f0e-7f3c-4a64-9d0f-6f8f7a0c5a11', proxy.url];
  const said = await promisify(execFile)(process.execPath, [...runTypeScript, script, ...args], { cwd: root }).then(
    () => '',
    (error: unknown) => /sends traces by no proxy/.exec(String(error))?.[0],
  );
  const sent = { said: '', asked: [`POST ${httpUrl()}v1/traces`] };
  const refused = { said: 'sends traces by no proxy', asked: [] };
  expect({ said, asked: proxy.asked }).toEqual(followsProxies(process.versions.node) ? sent : refused);
});
