/**
 * URLs that mean harm: each is refused with its reason, and no request reaches the server that they aim at. It is a
 * real server on loopback; names are resolved by a resolver that lies as an attacker's would.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllowedSource } from '../../../../plugins/addresses/allowed-source';
import type { ResolveHost } from '../../../../plugins/addresses/resolve-host';
import { createDownloads, type Downloads } from '../../../../plugins/downloads/downloads';
import { createPackagePolicy } from '../../../../plugins/downloads/package-sources';
import { type PackageServer, startPackageServer } from '../../../integration/downloads/package-server';

const sessionId = '5f6c3c57-7d0b-4c0e-9a53-6d2f3f1c0001';

const limits = {
  downloadBytes: 1024,
  downloadSeconds: 20,
  unpackedBytes: 1024 ** 2,
  unpackedEntries: 100,
  unpackedDepth: 10,
  unpackedRatio: 100,
};

/** An attacker's names, each with what it stands for. */
const names: Readonly<Record<string, readonly string[]>> = {
  'loopback.evil.test': ['127.0.0.1'],
  'loopback6.evil.test': ['::1'],
  'mapped.evil.test': ['::ffff:127.0.0.1'],
  'mapped-hex.evil.test': ['::ffff:7f00:1'],
  'compatible.evil.test': ['::127.0.0.1'],
  'nat64.evil.test': ['64:ff9b::127.0.0.1'],
  'nat64-local.evil.test': ['64:ff9b:1::7f00:1'],
  'sixtofour.evil.test': ['2002:7f00:1::'],
  'teredo.evil.test': ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'metadata.evil.test': ['169.254.169.254'],
  'metadata6.evil.test': ['fd00:ec2::254'],
  'link.evil.test': ['169.254.3.4'],
  'link6.evil.test': ['fe80::1'],
  'zone.evil.test': ['fe80::1%lo'],
  'zero.evil.test': ['0.0.0.0'],
  'zero6.evil.test': ['::'],
  'multicast.evil.test': ['224.0.0.1'],
  'broadcast.evil.test': ['255.255.255.255'],
  'several.evil.test': ['192.0.2.1', '127.0.0.1'],
  'nonsense.evil.test': ['localhost'],
};

const lyingResolver: ResolveHost = (hostname) => {
  const addresses = names[hostname];
  if (addresses === undefined) return Promise.reject(new Error(`nobody knows ${hostname}`));
  return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
};

let server: PackageServer;
let root: string;
beforeAll(async () => {
  server = await startPackageServer();
  root = await mkdtemp(path.join(tmpdir(), 'parley-urls-'));
});
afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

/** `PORT` stands for the server's own port. */
const withPort = (text: string): string => text.replaceAll('PORT', String(server.port));

const downloadsFrom = (allowed: readonly string[], resolveHost: ResolveHost = lyingResolver): Downloads =>
  createDownloads({
    root,
    limits,
    policy: createPackagePolicy(allowed.map((source) => parseAllowedSource(withPort(source))!)),
    ...{ resolveHost, proxies: {}, proxyResolves: false },
  });

const provide = (downloads: Downloads, url: string) =>
  downloads.provide({ sessionId, wanted: [{ url: withPort(url) }], signal: new AbortController().signal });

/** An operator who has allowed much: every host by name, on any path, on the server's port and the usual ones. */
const generous = ['http://*.evil.test:PORT/', 'http://*.evil.test/', 'https://*.evil.test/', 'http://0.0.0.1:PORT/'];

const guarded = /loopback, link-local and metadata addresses are refused|is not under an address/;
const unlisted = /is not under an address that the setting PARLEY_DOWNLOAD_ALLOW lists/;

const byName = Object.keys(names).map((name) => ({
  situation: `a name that stands for ${names[name]!.join(' and ')}`,
  url: `http://${name}:PORT/file`,
  because: /loopback, link-local and metadata addresses are refused/,
}));

const spelled = [
  { situation: 'loopback', url: 'http://127.0.0.1:PORT/file' },
  { situation: 'loopback as one number', url: 'http://2130706433:PORT/file' },
  { situation: 'loopback in octal', url: 'http://0177.0.0.1:PORT/file' },
  { situation: 'loopback in hex', url: 'http://0x7f.0x0.0x0.0x1:PORT/file' },
  { situation: 'loopback as one hex number', url: 'http://0x7f000001:PORT/file' },
  { situation: 'loopback in short', url: 'http://127.1:PORT/file' },
  { situation: 'loopback elsewhere in its network', url: 'http://127.8.9.10:PORT/file' },
  { situation: 'loopback with a dot behind', url: 'http://127.0.0.1.:PORT/file' },
  { situation: 'loopback with dots of another script', url: 'http://127。0。0。1:PORT/file' },
  { situation: 'loopback in full-width digits', url: 'http://１２７.０.０.１:PORT/file' },
  { situation: 'loopback in percent signs', url: 'http://%31%32%37.0.0.1:PORT/file' },
  { situation: 'zero', url: 'http://0:PORT/file' },
  { situation: 'loopback of IPv6', url: 'http://[::1]:PORT/file' },
  { situation: 'loopback of IPv6 written out', url: 'http://[0:0:0:0:0:0:0:1]:PORT/file' },
  { situation: 'unspecified of IPv6', url: 'http://[::]:PORT/file' },
  { situation: 'IPv4-mapped', url: 'http://[::ffff:127.0.0.1]:PORT/file' },
  { situation: 'IPv4-mapped in hex', url: 'http://[::ffff:7f00:1]:PORT/file' },
  { situation: 'IPv4-compatible', url: 'http://[::127.0.0.1]:PORT/file' },
  { situation: 'NAT64', url: 'http://[64:ff9b::7f00:1]:PORT/file' },
  { situation: 'localhost', url: 'http://localhost:PORT/file' },
  { situation: 'localhost with a dot behind', url: 'http://localhost.:PORT/file' },
  { situation: 'localhost in capitals', url: 'http://LOCALHOST:PORT/file' },
  { situation: 'the metadata service', url: 'http://169.254.169.254/latest/meta-data' },
].map((each) => ({ ...each, situation: `${each.situation}, not listed`, because: unlisted }));

const unfit = [
  { situation: 'a file', url: 'file:///etc/passwd', because: /scheme file:/ },
  { situation: 'FTP', url: 'ftp://a.evil.test/file', because: /scheme ftp:/ },
  { situation: 'data', url: 'data:application/zip;base64,AAAA', because: /scheme data:/ },
  { situation: 'JavaScript', url: 'javascript:alert(1)', because: /scheme javascript:/ },
  { situation: 'a Unix socket', url: 'unix:/var/run/docker.sock', because: /scheme unix:/ },
  { situation: 'gopher', url: 'gopher://a.evil.test:PORT/file', because: /scheme gopher:/ },
  {
    situation: 'a user name and password',
    url: 'http://me:secret@a.evil.test:PORT/file',
    because: /user name or password/,
  },
  { situation: 'an allowed host as user name', url: 'http://a.evil.test@127.0.0.1:PORT/file', because: /user name/ },
  { situation: 'a backslash for a slash', url: 'http://a.evil.test:PORT\\@127.0.0.1/file', because: /backslashes/ },
  { situation: 'a line end', url: 'http://a.evil.test:PORT/\r\nHost: x/file', because: /control characters/ },
  { situation: 'a tab in the scheme', url: 'ht\ttp://a.evil.test:PORT/file', because: /control characters/ },
  { situation: 'a space before it', url: ' http://a.evil.test:PORT/file', because: /spaces/ },
  { situation: 'an encoded slash', url: 'http://a.evil.test:PORT/a/..%2f..%2ffile', because: /encoded slash/ },
  { situation: 'an encoded NUL', url: 'http://a.evil.test:PORT/file%00.tgz', because: /encoded slash or control/ },
  { situation: 'a zone', url: 'http://[fe80::1%25lo]:PORT/file', because: /is not a URL/ },
  { situation: 'no host', url: 'http:///file', because: unlisted },
  { situation: 'no URL', url: 'not a URL', because: /spaces/ },
  { situation: 'another port', url: 'http://a.evil.test:1/file', because: unlisted },
  { situation: 'a host that only ends alike', url: 'http://notevil.test:PORT/file', because: unlisted },
  {
    situation: 'an allowed name as subdomain of another',
    url: 'http://a.evil.test.attacker.test:PORT/file',
    because: unlisted,
  },
  {
    situation: 'the domain itself, where its subdomains are listed',
    url: 'http://evil.test:PORT/file',
    because: unlisted,
  },
  { situation: 'no file name', url: 'http://a.evil.test:PORT/', because: /plain file name/ },
  { situation: 'a hidden file', url: 'http://a.evil.test:PORT/.parley.json', because: /plain file name/ },
  { situation: 'a fragment of another kind', url: 'http://a.evil.test:PORT/file#md5=0', because: /fragment/ },
  { situation: 'half a digest', url: 'http://a.evil.test:PORT/file#sha256=00', because: /fragment/ },
  {
    situation: 'a package of an unknown kind',
    url: 'http://a.evil.test:PORT/actions.rar',
    because: /\.tar, \.tar\.gz/,
  },
  {
    situation: 'more than 2,048 characters',
    url: `http://a.evil.test:PORT/${'a'.repeat(2100)}`,
    because: /longer than/,
  },
];

it.each([...byName, ...spelled, ...unfit])('refuses $situation', async ({ url, because }) => {
  const before = server.requests.length;
  const refused = provide(downloadsFrom(generous), url);
  await expect(refused).rejects.toMatchObject({ name: 'DownloadRefused' });
  await expect(refused).rejects.toThrow(because);
  expect(server.requests).toHaveLength(before);
  expect(await readdir(root)).toEqual([]);
});

it.each([
  { situation: 'to loopback', location: 'http://127.0.0.1:PORT/secret', because: /loopback, link-local|is not under/ },
  { situation: 'to the metadata service', location: 'http://169.254.169.254/latest/', because: guarded },
  {
    situation: 'to a name that stands for loopback',
    location: 'http://loopback.evil.test:PORT/secret',
    because: guarded,
  },
  { situation: 'to IPv4-mapped loopback', location: 'http://[::ffff:127.0.0.1]:PORT/secret', because: guarded },
  { situation: 'to another host', location: 'http://elsewhere.test/file', because: unlisted },
  { situation: 'to another path', location: '/secret', because: unlisted },
  { situation: 'to a path above', location: '/start/../secret', because: unlisted },
  { situation: 'to a file', location: 'file:///etc/passwd', because: /scheme file:/ },
  { situation: 'to a relative host', location: '//127.0.0.1:PORT/secret', because: /loopback|is not under/ },
  { situation: 'to nonsense', location: 'http://[', because: /is not a URL/ },
  { situation: 'to itself, for ever', location: '/start/file', because: /redirected more than 5 times/ },
  { situation: 'without a place', location: undefined, because: /answered with status 302/ },
])('follows no redirect $situation', async ({ location, because }) => {
  server.serve('/start/file', (_request, response) => {
    response.writeHead(302, location === undefined ? {} : { location: withPort(location) }).end();
  });
  const asked = server.requests.length;
  const downloads = downloadsFrom(['http://127.0.0.1:PORT/start/', 'http://*.evil.test:PORT/']);
  const refused = provide(downloads, 'http://127.0.0.1:PORT/start/file');
  await expect(refused).rejects.toMatchObject({ name: 'DownloadRefused' });
  await expect(refused).rejects.toThrow(because);
  expect(server.requests.slice(asked)).not.toContain('/secret');
  expect(await readdir(root)).toEqual([]);
});

it('connects to the address that was judged, whatever the name stands for elsewhere or a moment later', async () => {
  const judged = await startPackageServer({ host: '127.0.0.2', port: server.port });
  judged.serve('/pinned', 'of the judged address');
  server.serve('/pinned', 'of what the system would have resolved');
  const asked: string[] = [];
  const rebinding: ResolveHost = (hostname) => {
    asked.push(hostname);
    return Promise.resolve([{ address: asked.length === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
  };
  const downloads = downloadsFrom(['http://localhost:PORT/'], rebinding);
  const { files } = await provide(downloads, 'http://localhost:PORT/pinned');
  await judged.stop();
  await downloads.remove(sessionId);
  expect(files).toMatchObject([{ bytes: 'of the judged address'.length }]);
  expect(asked).toEqual(['localhost']);
  expect(judged.requests).toEqual(['/pinned']);
  expect(server.requests).not.toContain('/pinned');
});

it('asks nobody where the allow-list is empty, and names the setting', async () => {
  await expect(provide(downloadsFrom([]), 'http://a.evil.test:PORT/file')).rejects.toThrow(/PARLEY_DOWNLOAD_ALLOW/);
});

describe('what an operator lists', () => {
  beforeAll(() => server.serve('/packages/file', 'content'));
  const content = { fileName: 'file', bytes: 7, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string };

  it.each([
    {
      situation: 'an address of this machine',
      allowed: 'http://127.0.0.1:PORT/packages/',
      url: 'http://127.0.0.1:PORT/packages/file',
    },
    {
      situation: 'that address in another spelling',
      allowed: 'http://127.0.0.1:PORT/',
      url: 'http://0x7f.1:PORT/packages/file',
    },
    { situation: 'localhost', allowed: 'http://localhost:PORT/', url: 'http://localhost:PORT/packages/file' },
    {
      situation: 'exactly this file',
      allowed: 'http://127.0.0.1:PORT/packages/file',
      url: 'http://127.0.0.1:PORT/packages/file',
    },
  ])('is fetched: $situation', async ({ allowed, url }) => {
    const local: ResolveHost = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const downloads = downloadsFrom([allowed], local);
    const { files } = await provide(downloads, url);
    expect(files).toEqual([content]);
    await downloads.remove(sessionId);
    expect(await readdir(root)).toEqual([]);
  });
});

it.each([
  {
    situation: 'a body larger than what is left',
    path: '/large',
    answer: 'x'.repeat(2000),
    because: /PARLEY_DOWNLOAD_BYTES/,
  },
  { situation: 'a missing file', path: '/missing', answer: undefined, because: /answered with status 404/ },
  { situation: 'a digest that differs', path: `/plain#sha256=${'0'.repeat(64)}`, answer: 'plain', because: /SHA-256/ },
])('refuses $situation', async ({ path: at, answer, because }) => {
  if (answer !== undefined) server.serve(at.replace(/#.*/, ''), answer);
  const refused = provide(downloadsFrom(['http://127.0.0.1:PORT/']), `http://127.0.0.1:PORT${at}`);
  await expect(refused).rejects.toMatchObject({ name: 'DownloadRefused' });
  await expect(refused).rejects.toThrow(because);
  expect(await readdir(root)).toEqual([]);
});

it('stops a body that never ends', async () => {
  server.serve('/endless', (_request, response) => {
    response.on('error', () => undefined);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(100)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const refused = provide(downloadsFrom(['http://127.0.0.1:PORT/']), 'http://127.0.0.1:PORT/endless');
  await expect(refused).rejects.toThrow(/PARLEY_DOWNLOAD_BYTES/);
});

it.each([500, 502, 503, 429, 408])('takes status %i for a server that is away', async (status) => {
  server.serve('/away', (_request, response) => void response.writeHead(status).end());
  const failed = provide(downloadsFrom(['http://127.0.0.1:PORT/']), 'http://127.0.0.1:PORT/away');
  await expect(failed).rejects.toMatchObject({ name: 'SourceAway' });
});
