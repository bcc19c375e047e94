/**
 * Addresses that mean harm: nothing is sent, and the reason is told. The receiver is a real server on loopback; names
 * are resolved by a resolver that lies as an attacker's would.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceiverAnswer } from '../../../../events/webhooks/next-attempt';
import { post } from '../../../../events/webhooks/post';
import { createReceiverPolicy } from '../../../../events/webhooks/receivers';
import { parseAllowedNetwork } from '../../../../plugins/addresses/allowed-network';
import { parseAllowedSource } from '../../../../plugins/addresses/allowed-source';
import type { ResolveHost } from '../../../../plugins/addresses/resolve-host';

let server: Server;
let port: number;
let requests: string[];
beforeAll(async () => {
  server = createServer((req, res) => {
    requests.push(`${req.method ?? ''} ${req.url ?? ''}`);
    if (req.url === '/redirect') res.writeHead(302, { Location: `http://127.0.0.1:${port}/inside` });
    else if (req.url === '/slow') {
      res.writeHead(200).flushHeaders(); // and no end
      return;
    }
    res.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  requests = [];
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const withPort = (text: string): string => text.replaceAll('PORT', String(port));

interface Sent {
  readonly url: string;
  readonly allow?: readonly string[];
  readonly networks?: readonly string[];
  readonly resolve?: ResolveHost;
}

const answersWith =
  (...addresses: readonly string[]): ResolveHost =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

const anyName = ['http://*.evil.test:PORT/', 'http://vnfm.test:PORT/'];

const send = ({
  url,
  allow = anyName,
  networks = [],
  resolve = answersWith('127.0.0.1'),
}: Sent): Promise<ReceiverAnswer> =>
  post(
    {
      policy: createReceiverPolicy({
        sources: allow.map((text) => parseAllowedSource(withPort(text))!),
        networks: networks.map((text) => parseAllowedNetwork(text)!),
      }),
      ...{ resolveHost: resolve, proxies: {}, proxyResolves: false },
    },
    { url: withPort(url), headers: {}, body: '{}', signal: new AbortController().signal },
  );

const guarded = /loopback, link-local, private and metadata addresses are refused unless PARLEY_WEBHOOK_ALLOW/;

describe('a name', () => {
  it.each(
    [
      ['127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['64:ff9b::127.0.0.1'],
      ['2002:7f00:1::'],
      ['169.254.169.254'],
      ['fd00:ec2::254'],
      ['fe80::1'],
      ['0.0.0.0'],
      ['10.1.2.3'],
      ['172.16.0.1'],
      ['172.31.255.255'],
      ['192.168.1.1'],
      ['100.64.0.1'],
      ['198.18.0.1'],
      ['fc00::1'],
      ['fd12:3456::1'],
      ['::ffff:10.1.2.3'],
      ['64:ff9b::10.1.2.3'],
      ['nonsense'],
      ['192.0.2.1', '10.1.2.3'],
    ].map((addresses) => ({ addresses })),
  )('that leads to $addresses is refused', async ({ addresses }) => {
    const answer = await send({ url: 'http://vnfm.test:PORT/', resolve: answersWith(...addresses) });
    expect(answer).toMatchObject({ kind: 'forbidden', because: expect.stringMatching(guarded) as unknown });
    expect(requests).toEqual([]);
  });

  it('that leads to a private address is connected to where its network is listed', async () => {
    const networks = ['127.0.0.0/8'];
    expect(await send({ url: 'http://vnfm.test:PORT/', networks })).toEqual({ kind: 'status', status: 200 });
    expect(requests).toEqual(['POST /']);
    const elsewhere = await send({ url: 'http://vnfm.test:PORT/', networks, resolve: answersWith('10.1.2.3') });
    expect(elsewhere).toMatchObject({ kind: 'forbidden' });
  });

  it('is judged anew in each attempt, and asked once: a second answer has no effect', async () => {
    const networks = ['127.0.0.0/8'];
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']];
    const resolve: ResolveHost = (name) => answersWith(...answers.shift()!)(name);
    expect(await send({ url: 'http://vnfm.test:PORT/1', networks, resolve })).toMatchObject({ status: 200 });
    expect(await send({ url: 'http://vnfm.test:PORT/2', networks, resolve })).toMatchObject({ kind: 'forbidden' });
    expect(await send({ url: 'http://vnfm.test:PORT/3', networks, resolve })).toMatchObject({ status: 200 });
    expect(requests).toEqual(['POST /1', 'POST /3']);
  });

  it('that nobody knows, or that leads nowhere, is no answer', async () => {
    const unknown = await send({ url: 'http://vnfm.test:PORT/', resolve: () => Promise.reject(new Error('none')) });
    expect(unknown).toEqual({ kind: 'none', because: 'the name vnfm.test cannot be resolved' });
    const empty = await send({ url: 'http://vnfm.test:PORT/', resolve: answersWith() });
    expect(empty).toEqual({ kind: 'none', because: 'the name vnfm.test has no address' });
  });
});

describe('an address', () => {
  it.each([
    { url: 'http://127.0.0.1:PORT/', because: /not under an address/ },
    { url: 'http://10.1.2.3:PORT/', because: /not under an address/ },
    { url: 'http://vnfm.test:1/', because: /not under an address/ },
    { url: 'https://vnfm.test:PORT/', because: /not under an address/ },
    { url: 'http://vnfm.test.evil.example:PORT/', because: /not under an address/ },
    { url: 'http://me:secret@vnfm.test:PORT/', because: /user name or password/ },
    { url: 'file:///etc/passwd', because: /scheme file:/ },
    { url: 'nonsense', because: /is not a URL/ },
  ])('$url that is not allowed (any more) is sent nothing', async ({ url, because }) => {
    const answer = await send({ url });
    expect(answer).toMatchObject({ kind: 'forbidden', because: expect.stringMatching(because) as unknown });
    expect(requests).toEqual([]);
  });

  it('of a network is not allowed by the network alone', async () => {
    const answer = await send({ url: 'http://127.0.0.1:PORT/', networks: ['127.0.0.0/8'] });
    expect(answer).toMatchObject({ kind: 'forbidden' });
  });

  it('that is listed itself is connected to', async () => {
    const answer = await send({ url: 'http://127.0.0.1:PORT/in', allow: ['http://127.0.0.1:PORT/'] });
    expect(answer).toEqual({ kind: 'status', status: 200 });
  });
});

const own = { allow: ['http://127.0.0.1:PORT/'] };

it('does not follow a redirect', async () => {
  expect(await send({ url: 'http://127.0.0.1:PORT/redirect', ...own })).toEqual({ kind: 'status', status: 302 });
  expect(requests).toEqual(['POST /redirect']);
});

it('does not wait for the end of an answer', async () => {
  expect(await send({ url: 'http://127.0.0.1:PORT/slow', ...own })).toEqual({ kind: 'status', status: 200 });
});
