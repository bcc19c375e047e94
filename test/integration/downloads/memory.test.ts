/** Memory does not grow with a download, whatever its content. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, deflateRawSync } from 'node:zlib';
import { aTar, gnuLongName } from '../../builders/a-tar';
import { aZip } from '../../builders/a-zip';
import { environmentOfRun } from '../../run/environment-of-run';
import { type PackageServer, startPackageServer } from './package-server';

const mebibyte = 1024 ** 2;
const zeros = Buffer.alloc(mebibyte);
/** Node.js collects buffers when 64 MiB of them are there; what is sent or unpacked is at least 150 MiB. */
const mostGrownMb = 110;
const runTypeScript = path.join(__dirname, '../../run/run-typescript.cjs');

let server: PackageServer;
let root: string;
beforeAll(async () => {
  server = await startPackageServer();
  root = await mkdtemp(path.join(tmpdir(), 'parley-memory-'));
});
afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

async function* times(count: number, piece: Buffer): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index += 1) yield await Promise.resolve(piece);
}

/** A file of 1 GiB of zeros, which is packed while it is sent. */
async function* tarBomb(): AsyncGenerator<Buffer> {
  yield aTar({ name: 'bomb', size: 1024 * mebibyte }).subarray(0, 512);
  yield* times(1024, zeros);
}

const zipBomb = (): Buffer => {
  const packed = deflateRawSync(Buffer.alloc(400 * mebibyte));
  return aZip([{ name: 'bomb', packed, size: 400 * mebibyte }]);
};

const manyFiles = Array.from({ length: 5_000 }, (_, index) => ({
  name: `folder-${index % 50}/file-${index}`,
  content: 'x',
}));

const answers: Readonly<Record<string, Buffer | (() => AsyncIterable<Buffer> | Readable)>> = {
  '/actions-small.tar': aTar({ name: 'small', content: 'x' }),
  '/large': () => times(150, zeros),
  '/endless': () => times(1e9, zeros),
  '/actions-bomb.tgz': () => Readable.from(tarBomb()).pipe(createGzip({ level: 1 })),
  '/actions-bomb.zip': zipBomb(),
  '/actions-names.tar': aTar(gnuLongName('n'.repeat(3 * mebibyte)), { name: 'x' }),
  '/actions-many.tar': aTar(...manyFiles),
};

beforeAll(() => {
  for (const [at, answer] of Object.entries(answers)) {
    const send: RequestListener = (_request, response) =>
      void pipeline(typeof answer === 'function' ? answer() : [answer], response).catch(() => undefined);
    server.serve(at, send);
  }
});

it.each([
  { situation: 'a large file', at: '/large', outcome: 'fetched' },
  { situation: 'a body that never ends', at: '/endless', outcome: /PARLEY_DOWNLOAD_BYTES/ },
  { situation: 'a bomb in tar.gz', at: '/actions-bomb.tgz', outcome: /PARLEY_UNPACKED_BYTES/ },
  { situation: 'a bomb in zip', at: '/actions-bomb.zip', outcome: /PARLEY_UNPACKED_BYTES/ },
  { situation: 'a name of 3 MiB', at: '/actions-names.tar', outcome: /more than 1024 bytes/ },
  { situation: 'thousands of files', at: '/actions-many.tar', outcome: 'fetched' },
])('grows by far less than is sent over $situation', async ({ at, outcome }) => {
  const script = path.join(__dirname, 'measure-memory.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--require', runTypeScript, script, server.url, root, '/actions-small.tar', at],
    { env: environmentOfRun() },
  );
  const measured = JSON.parse(stdout) as { grownMb: number; outcome: string };
  expect(measured.outcome).toMatch(outcome);
  expect(measured.grownMb).toBeLessThan(mostGrownMb);
});
