/** Certificates in files that are replaced while the service runs: a server takes and shows others from then on. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { createExchange } from '../../../clouds/http/exchange';
import { openAccess } from '../../../clouds/kubernetes/client/access/open-access';
import { createTransport } from '../../../clouds/kubernetes/client/transport';
import { type Certificates, makeCertificates } from '../../endpoints/certificates';

let folder: string;
let first: Certificates;
let second: Certificates;
let server: Server;
let url: string;

const file = (name: string): string => path.join(folder, name);
const made = (name: string): Certificates => {
  mkdirSync(file(name));
  return makeCertificates(file(name));
};
const serverOf = ({ ca, server: { cert, key } }: Certificates) => ({
  ...{ ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) },
  ...{ requestCert: true, rejectUnauthorized: false },
});

/** Whoever issues certificates puts them into the files that the service reads. */
const issue = ({ ca, client }: Certificates): void => {
  copyFileSync(ca, file('ca.pem'));
  copyFileSync(client.cert, file('client.pem'));
  copyFileSync(client.key, file('client.key'));
  const data = (name: string): string => readFileSync(name).toString('base64');
  const user = { 'client-certificate-data': data(client.cert), 'client-key-data': data(client.key) };
  writeFileSync(file('by-data'), kubeconfig({ 'certificate-authority-data': data(ca) }, user));
};
const kubeconfig = (cluster: object, user: object): string =>
  JSON.stringify({
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: url.slice(0, -1), ...cluster } }],
    users: [{ name: 'u', user }],
  });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-renewed-'));
  [first, second] = [made('first'), made('second')];
  server = createServer(serverOf(first), ({ socket }, reply) => {
    // A resumed connection counts as authorized on an older Node.js, also where no certificate was shown.
    const isTrusted = socket instanceof TLSSocket && socket.authorized && 'subject' in socket.getPeerCertificate();
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ isTrusted }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  issue(first);
  writeFileSync(
    file('by-files'),
    kubeconfig(
      { 'certificate-authority': 'ca.pem' },
      { 'client-certificate': 'client.pem', 'client-key': 'client.key' },
    ),
  );
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const serve = (certificates: Certificates): void => {
  server.setSecureContext(serverOf(certificates));
  server.closeAllConnections();
};

const byExchange = () => {
  const exchange = createExchange({ timeoutSeconds: 30, caFile: file('ca.pem'), proxies: {} });
  return () => exchange({ method: 'GET', url });
};
const byKubeconfig = (name: string) => () => {
  const nothing = { kubernetesContext: undefined, kubernetesServiceHost: undefined, kubernetesServicePort: 443 };
  const access = openAccess({ kubeconfig: [file(name)], ...nothing });
  const transport = createTransport(access, { timeoutSeconds: 30, proxies: {} });
  return () => transport.exchange({ method: 'GET', path: '/' });
};

it.each([
  { what: 'the authority of OS_CACERT and PARLEY_OIDC_CA', open: byExchange, isTrusted: false },
  { what: 'the files that a kubeconfig names', open: byKubeconfig('by-files'), isTrusted: true },
  { what: 'the data in a kubeconfig', open: byKubeconfig('by-data'), isTrusted: true },
])('$what are read anew', async ({ open, isTrusted }) => {
  serve(first);
  const ask = open();
  expect(await ask()).toMatchObject({ body: { isTrusted } });
  serve(second);
  await expect(ask()).rejects.toThrow('self-signed certificate');
  issue(second);
  expect(await ask()).toMatchObject({ body: { isTrusted } });
  for (const name of ['ca.pem', 'by-data']) writeFileSync(file(name), '');
  expect(await ask()).toMatchObject({ body: { isTrusted } });
});
