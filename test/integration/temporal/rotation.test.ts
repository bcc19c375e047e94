/**
 * Certificates that are replaced while API and worker run. The server trusts another authority from then on, and so
 * refuses the old ones.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { anyFreePort } from '../../../cli/stack/ports';
import { type Certificates, makeCertificates } from '../../endpoints/certificates';
import { environmentOfRun } from '../../run/environment-of-run';
import { eventually } from '../../waiting/eventually';
import { createNamespace } from '../rig/namespace';
import { fileFolder } from '../setup/file-folder';
import { testServices } from '../setup/services';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

const root = path.resolve(__dirname, '../../..');
const { temporalAddress } = testServices();

/** Passes connections on to the real server, whose development build has no TLS. */
const startTls = async ({ server: { cert, key }, ca }: Certificates) => {
  const own = { cert: readFileSync(cert), key: readFileSync(key) };
  const sockets = new Set<TLSSocket>();
  const [host = '', port = ''] = temporalAddress.split(':');
  const guard = { requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  const tls = createServer({ ...own, ...guard, ca: readFileSync(ca) }, (socket) => {
    sockets.add(socket);
    const inner = connect(Number(port), host);
    for (const end of [socket, inner]) end.on('error', () => undefined);
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  tls.on('tlsClientError', () => undefined);
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    address: `127.0.0.1:${String((tls.address() as AddressInfo).port)}`,
    /** Refuses all others, also those that are connected. */
    trustOnly: (authority: string): void => {
      tls.setSecureContext({ ...own, ca: readFileSync(authority) });
      cut();
    },
    stop: (): void => {
      tls.close();
      cut();
    },
  };
};

const folder = fileFolder();
const file = (name: string): string => path.join(folder, name);
const made = (name: string): Certificates => {
  mkdirSync(file(name));
  return makeCertificates(file(name));
};
const [old, next] = [made('old'), made('next')];
const issue = ({ client }: Certificates): void => {
  copyFileSync(client.cert, file('client.pem'));
  copyFileSync(client.key, file('client.key'));
};

let database: TestDatabase;
let tls: Awaited<ReturnType<typeof startTls>>;
beforeAll(async () => {
  database = await createTestDatabase();
  tls = await startTls(old);
  issue(old);
});
afterAll(async () => {
  tls.stop();
  await database.drop();
});

const start = (program: string, env: NodeJS.ProcessEnv) => {
  const args = [path.join(root, 'dist', program)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  const says = (words: string) => eventually(words, () => Promise.resolve(output.includes(words) || undefined));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { says, stop };
};

it('API and worker read certificates of Temporal anew, and go on', async () => {
  const port = await anyFreePort();
  const env = {
    ...environmentOfRun(),
    DATABASE_URL: database.url,
    PARLEY_PORT: String(port),
    PARLEY_TEMPORAL_ADDRESS: tls.address,
    PARLEY_TEMPORAL_NAMESPACE: await createNamespace(temporalAddress),
    PARLEY_TEMPORAL_TLS: 'on',
    PARLEY_TEMPORAL_CA: old.ca,
    PARLEY_TEMPORAL_CERT: file('client.pem'),
    PARLEY_TEMPORAL_KEY: file('client.key'),
    PARLEY_TEMPORAL_SERVER_NAME: 'localhost',
  };
  const programs = [start('api/main.js', env), start('worker/main.js', env)];
  const [, worker] = programs;
  const readiness = async () => (await fetch(`http://127.0.0.1:${String(port)}/readyz`)).status;
  const untilReadinessIs = (status: number) =>
    eventually(`/readyz answers ${String(status)}`, async () => (await readiness()) === status || undefined);
  await untilReadinessIs(200);
  tls.trustOnly(next.ca);
  await untilReadinessIs(503);
  issue(next);
  await worker?.says('certificates or API key of Temporal were read anew');
  await untilReadinessIs(200);
  await Promise.all(programs.map(({ stop }) => stop()));
});
