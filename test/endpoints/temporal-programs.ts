/**
 * The real Temporal server and its schema tool, since the development server has no TLS: built with Go into the user's
 * cache once, which takes some minutes of a processor.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../cli/stack/cache';
import { temporalServerVersion } from '../../cli/stack/temporal-program';

const run = promisify(execFile);
const outputBytes = 64 * 1024 * 1024;
const goModule = 'go.temporal.io/server';

export interface TemporalPrograms {
  readonly server: string;
  readonly sql: string;
  /** Holds the folders of the schema for PostgreSQL. */
  readonly schema: string;
}

const install = async (program: string, folder: string): Promise<void> => {
  const args = ['install', `${goModule}/${program}@v${temporalServerVersion}`];
  await run('go', args, { env: { ...process.env, GOBIN: folder }, maxBuffer: outputBytes });
};

const build = async (folder: string): Promise<void> => {
  try {
    await install('cmd/server', folder);
    await install('cmd/tools/sql', folder);
  } catch (cause) {
    throw new Error('the Temporal server that this test needs could not be built: install Go', { cause });
  }
};

/** The schema comes with the module's sources, which Go keeps. */
const schemaFolder = async (): Promise<string> => {
  const args = ['mod', 'download', '-json', `${goModule}@v${temporalServerVersion}`];
  const { stdout } = await run('go', args, { maxBuffer: outputBytes });
  return path.join((JSON.parse(stdout) as { Dir: string }).Dir, 'schema/postgresql/v12');
};

export const temporalPrograms = async (): Promise<TemporalPrograms> => {
  const folder = path.join(cacheFolder(process.env), `temporal-server-${temporalServerVersion}`);
  if (!existsSync(folder)) await fillInCache(folder, build);
  return { server: path.join(folder, 'server'), sql: path.join(folder, 'sql'), schema: await schemaFolder() };
};
