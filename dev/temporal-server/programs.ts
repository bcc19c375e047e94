/**
 * The programs of the Temporal server that deployments run, and its schema tool: in the user's cache, where they are
 * downloaded once, or built with Go, which takes some minutes of a processor.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../cli/stack/cache';
import { temporalServerVersion } from '../../cli/stack/temporal-program';

const run = promisify(execFile);
const outputBytes = 64 * 1024 * 1024;
const goModule = 'go.temporal.io/server';
const releases = 'https://github.com/temporalio/temporal/releases/download';
const downloadMs = 60_000;

export interface TemporalPrograms {
  readonly server: string;
  /** Makes the schemas of the databases. */
  readonly sql: string;
}

const fetched = async (url: string): Promise<Buffer> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(downloadMs) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** @throws Error where nothing answers, or the sum in the list of the release is another */
const download = async (folder: string): Promise<void> => {
  const architecture = architectures[process.arch] ?? process.arch;
  const name = `temporal_${temporalServerVersion}_${process.platform}_${architecture}.tar.gz`;
  const address = `${releases}/v${temporalServerVersion}`;
  const sums = (await fetched(`${address}/checksums.txt`)).toString('utf8');
  const archive = await fetched(`${address}/${name}`);
  const sum = createHash('sha256').update(archive).digest('hex');
  if (!sums.split('\n').includes(`${sum}  ${name}`)) throw new Error(`${name} does not have the sum of its release`);
  const file = path.join(folder, name);
  await writeFile(file, archive);
  await run('tar', ['-xzf', file, '-C', folder, 'temporal-server', 'temporal-sql-tool']);
  await rm(file);
  await rename(path.join(folder, 'temporal-server'), path.join(folder, 'server'));
  await rename(path.join(folder, 'temporal-sql-tool'), path.join(folder, 'sql'));
};

const install = async (program: string, folder: string): Promise<void> => {
  const args = ['install', `${goModule}/${program}@v${temporalServerVersion}`];
  await run('go', args, { env: { ...process.env, GOBIN: folder }, maxBuffer: outputBytes });
};

const build = async (folder: string): Promise<void> => {
  try {
    await install('cmd/server', folder);
    await install('cmd/tools/sql', folder);
  } catch (cause) {
    throw new Error('the Temporal server could be neither downloaded nor built: install Go', { cause });
  }
};

/** @throws Error where the programs can be neither downloaded nor built */
export const temporalPrograms = async (): Promise<TemporalPrograms> => {
  const folder = path.join(cacheFolder(process.env), `temporal-server-${temporalServerVersion}`);
  if (!existsSync(folder)) {
    await fillInCache(folder, download).catch(() => fillInCache(folder, build));
  }
  return { server: path.join(folder, 'server'), sql: path.join(folder, 'sql') };
};
