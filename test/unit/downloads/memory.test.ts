/** Whatever is downloaded, memory does not grow with it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, deflateRawSync } from 'node:zlib';
import { aTar, gnuLongName } from '../../builders/a-tar';
import { aZip } from '../../builders/a-zip';
import { type PackageServer, startPackageServer } from '../../integration/downloads/package-server';

const mebibyte = 1024 ** 2;
const zeros = Buffer.alloc(mebibyte);
const runTypeScript = path.join(__dirname, '../../integration/faults/run-typescript.cjs');

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

/** A file of 1 GiB of zeros, packed as it is sent. */
async function* tarBomb(): AsyncGenerator<Buffer> {
  yield aTar({ name: 'bomb', size: 1024 * mebibyte }).subarray(0, 512);
  yield* times(1024, zeros);
}

const zipBomb = (): Buffer => {
  const packed = deflateRawSync(Buffer.alloc(400 * mebibyte));
  return aZip([{ name: 'bomb', packed, size: 400 * mebibyte }]);
};

it('grows by less than 50 MB over bombs, endless bodies and thousands of files', async () => {
  const manyFiles = Array.from({ length: 5_000 }, (_, index) => ({
    name: `folder-${index % 50}/file-${index}`,
    content: 'x',
  }));
  server.serve('/actions-small.tar', aTar({ name: 'small', content: 'x' }));
  server.serve('/endless', (_request, response) => void pipeline(times(1e9, zeros), response).catch(() => undefined));
  server.serve('/large', (_request, response) => void pipeline(times(150, zeros), response).catch(() => undefined));
  server.serve('/actions-bomb.tgz', (_request, response) => {
    void pipeline(tarBomb(), createGzip({ level: 1 }), response).catch(() => undefined);
  });
  server.serve('/actions-bomb.zip', zipBomb());
  server.serve('/actions-names.tar', aTar(gnuLongName('n'.repeat(3 * mebibyte)), { name: 'x' }));
  server.serve('/actions-many.tar', aTar(...manyFiles));
  const paths = ['/actions-small.tar', '/large', '/endless', '/actions-bomb.tgz', '/actions-bomb.zip'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--expose-gc',
      '--require',
      runTypeScript,
      path.join(__dirname, 'measure-memory.ts'),
      server.url,
      root,
      ...[...paths, '/actions-names.tar', '/actions-many.tar'],
    ],
    { env: { PATH: process.env['PATH'] } },
  );
  const { grownMb, outcomes } = JSON.parse(stdout) as { grownMb: number; outcomes: string[] };
  expect(outcomes).toEqual([
    'fetched',
    'fetched',
    expect.stringContaining('PARLEY_DOWNLOAD_BYTES'),
    expect.stringContaining('PARLEY_UNPACKED_BYTES'),
    expect.stringContaining('PARLEY_UNPACKED_BYTES'),
    expect.stringContaining('has a name of more than 1024 bytes'),
    'fetched',
  ]);
  expect(grownMb).toBeLessThan(50);
  process.stderr.write(`grown ${grownMb}\n`);
}, 180_000);
