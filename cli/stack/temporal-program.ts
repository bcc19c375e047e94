/**
 * Finds or installs Temporal's dev server: TEMPORAL_CLI, `temporal` on PATH, the cached one, the SDK's download, and
 * last a build from source with Go.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../package-root';
import { cacheFolder, fillInCache } from './cache';

const run = promisify(execFile);

export const temporalCliVersion = '1.5.1';
/** The Temporal server in that version, which a deployment should run too. */
export const temporalServerVersion = '1.29.1';
const goModule = 'github.com/temporalio/cli';
/**
 * The SQLite of that version, 1.34.1, does not recover when a request runs out of time in the middle of a statement, as
 * happens on a busy machine: its one connection stays interrupted, and no request is answered any more. Temporal has
 * this newer one since its server 1.31.
 */
const sqliteVersion = '1.44.3';
/** An older Go gets the one that the line `go` names, as the Temporal CLI asks for it. */
const goModFile = `module temporal

go 1.25.0

require (
\t${goModule} v${temporalCliVersion}
\tmodernc.org/sqlite v${sqliteVersion}
)
`;
const downloadMs = 120_000;
const buildMs = 30 * 60_000;
const outputBytes = 64 * 1024 * 1024;

export interface ServerSearch {
  readonly env: NodeJS.ProcessEnv;
  /** Tells a person about the progress, since the installation may take minutes. */
  readonly tell: (line: string) => void;
  /** Aborts a download or a build. */
  readonly signal?: AbortSignal;
}

/** An attempt that found no server, in words that say what would help. */
type WayToServer = (search: ServerSearch) => Promise<{ program: string } | { because: string }>;

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

const lastLine = (error: unknown): string =>
  error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? error.name) : String(error);

const onPath = async (name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> => {
  for (const folder of (env['PATH'] ?? '').split(path.delimiter).filter((each) => each !== '')) {
    const file = path.join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
};

const cachedProgram = (env: NodeJS.ProcessEnv): string =>
  path.join(cacheFolder(env), `temporal-cli-${temporalCliVersion}`, 'temporal');

const fromPath: WayToServer = async ({ env }) => {
  const program = await onPath('temporal', env);
  return program === undefined ? { because: 'no `temporal` (Temporal CLI) is on PATH' } : { program };
};

const fromCache: WayToServer = async ({ env }) => {
  const program = cachedProgram(env);
  return (await isExecutable(program)) ? { program } : { because: `${program} does not exist` };
};

/** @param get puts the program into the folder, under any name */
const intoCache = async ({ env }: ServerSearch, get: (folder: string) => Promise<string>): Promise<string> => {
  const program = cachedProgram(env);
  await fillInCache(path.dirname(program), async (growing) => {
    const file = await get(growing);
    await chmod(file, 0o755);
    await rename(file, path.join(growing, path.basename(program)));
  });
  return program;
};

const abortable = ({ signal }: ServerSearch): { signal?: AbortSignal } => (signal === undefined ? {} : { signal });

const download = async (folder: string, search: ServerSearch): Promise<string> => {
  const script = path.join(packageRoot, 'cli/stack/download-temporal.mjs');
  const limits = { timeout: downloadMs, killSignal: 'SIGKILL', ...abortable(search) } as const;
  await run(process.execPath, [script, folder, temporalCliVersion], limits);
  const file = (await readdir(folder)).find((name) => name.startsWith('temporal'));
  if (file === undefined) throw new Error('the download left no program');
  return path.join(folder, file);
};

const fromSdkDownload: WayToServer = async (search) => {
  search.tell('downloading the Temporal server (once)');
  try {
    return { program: await intoCache(search, (folder) => download(folder, search)) };
  } catch (error) {
    return { because: `its download failed (${lastLine(error)})` };
  }
};

const build = async (go: string, folder: string, search: ServerSearch): Promise<string> => {
  const file = path.join(folder, 'temporal');
  const moduleFolder = path.join(folder, 'module');
  await mkdir(moduleFolder);
  await writeFile(path.join(moduleFolder, 'go.mod'), goModFile);
  await run(go, ['build', '-mod=mod', '-o', file, `${goModule}/cmd/temporal`], {
    cwd: moduleFolder,
    env: { ...search.env, GOWORK: 'off' }, // a go.work in a folder above would refuse this module
    timeout: buildMs,
    maxBuffer: outputBytes,
    ...abortable(search),
  });
  await rm(moduleFolder, { recursive: true });
  return file;
};

const fromGoBuild: WayToServer = async (search) => {
  const go = await onPath('go', search.env);
  if (go === undefined) return { because: 'Go, which could build it, is not on PATH' };
  search.tell('building the Temporal server with Go (once, some minutes)');
  try {
    return { program: await intoCache(search, (folder) => build(go, folder, search)) };
  } catch (error) {
    return { because: `its build from ${goModule} failed (${lastLine(error)})` };
  }
};

/** A named program is used or refused. Falling back silently would run another version than the requested one. */
const namedProgram = async (file: string): Promise<string> => {
  if (await isExecutable(file)) return file;
  throw new Error(`TEMPORAL_CLI names ${file}, which is not an executable file; correct it or unset it`);
};

/**
 * The path of a Temporal CLI that can run `server start-dev`.
 * @throws Error that lists the attempts and says what would help
 */
export const findTemporalProgram = async (search: ServerSearch): Promise<string> => {
  const named = search.env['TEMPORAL_CLI'];
  if (named !== undefined && named !== '') return namedProgram(named);
  const reasons: string[] = [];
  for (const way of [fromPath, fromCache, fromSdkDownload, fromGoBuild]) {
    search.signal?.throwIfAborted();
    const found = await way(search);
    if ('program' in found) return found.program;
    reasons.push(found.because);
  }
  throw new Error(
    `there is no Temporal server for the sessions: ${reasons.join('; ')}. ` +
      'Install the Temporal CLI or Go, or name a running server in PARLEY_TEMPORAL_ADDRESS',
  );
};
