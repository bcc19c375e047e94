/** A Python virtualenv with what a requirements file lists, made in the user's cache once. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../cli/stack/cache-folder';

const run = promisify(execFile);

const installMs = 15 * 60_000;
const outputBytes = 64 * 1024 * 1024;
const leastVersion = 'import sys; sys.exit(sys.version_info < (3, 11))';

const isRightPython = (program: string): Promise<boolean> =>
  run(program, ['-c', leastVersion]).then(
    () => true,
    () => false,
  );

/** @throws Error where there is none */
const findPython = async (what: string): Promise<string> => {
  for (const program of [process.env['PYTHON'] ?? 'python3.11', 'python3']) {
    if (await isRightPython(program)) return program;
  }
  throw new Error(
    `Python 3.11 or later is missing: ${what} runs on it. Install it with its venv module, or name it in PYTHON`,
  );
};

const install = async (folder: string, { python, requirements, what }: Wanted & { python: string }): Promise<void> => {
  try {
    await run(python, ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--requirement', requirements];
    await run(path.join(folder, 'bin/python'), pip, { timeout: installMs, maxBuffer: outputBytes });
  } catch (cause) {
    throw new Error(`the Python packages of ${what} (${requirements}) could not be installed from PyPI`, { cause });
  }
};

export interface Wanted {
  /** Path of the requirements file, every version pinned. */
  readonly requirements: string;
  /** What it is for, as it begins a message. */
  readonly what: string;
}

/** @returns its Python program; made in a folder of its own and then moved, so it is whole or absent */
export const pythonEnvironment = async ({ requirements, what }: Wanted): Promise<string> => {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = path.join(cacheFolder(process.env), `python-${digest}`);
  const program = path.join(folder, 'bin/python');
  if (existsSync(program)) return program;
  const python = await findPython(what);
  await mkdir(path.dirname(folder), { recursive: true });
  const growing = await mkdtemp(`${folder}-`);
  try {
    await install(growing, { python, requirements, what });
    // Another run may have been faster; then its folder stays.
    await rename(growing, folder).catch(() => undefined);
    return program;
  } finally {
    await rm(growing, { recursive: true, force: true });
  }
};
