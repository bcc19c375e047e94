/** The configuration file: addresses under names. It holds no secret, only the names of variables that do. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isErrorWithCode } from '../stack/error-code';
import type { Contexts } from './contexts-in';
import { yamlOf } from './yaml';

const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

export const contextsFile = (env: NodeJS.ProcessEnv): string =>
  set(env['PARLEY_CONFIG']) ??
  path.join(
    set(env['XDG_CONFIG_HOME']) ?? path.join(set(env['HOME']) ?? os.homedir(), '.config'),
    'parley',
    'config.yaml',
  );

export const readContexts = async (env: NodeJS.ProcessEnv): Promise<Contexts> => {
  const file = contextsFile(env);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isErrorWithCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined) return { contexts: {} };
  return (await import('./contexts-in.js')).contextsIn(text, file);
};

/** Replaced as a whole, so that it is never half written. */
export const writeContexts = async (env: NodeJS.ProcessEnv, contexts: Contexts): Promise<void> => {
  const file = contextsFile(env);
  await mkdir(path.dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, yamlOf(contexts), { mode: 0o600 });
  await rename(fresh, file);
};
