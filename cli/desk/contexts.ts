/** The configuration file: addresses under names. It holds no secret, only the names of variables that do. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse, stringify } from 'yaml';
import { isErrorWithCode } from '../stack/error-code';
import { CommandFailure, exitCodes } from './exit';

const ContextSchema = Type.Object(
  {
    url: Type.Optional(Type.String()),
    /** The environment variable that holds the token. */
    token_from: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Context = Static<typeof ContextSchema>;

const ContextsSchema = Type.Object(
  { current: Type.Optional(Type.String()), contexts: Type.Record(Type.String(), ContextSchema) },
  { additionalProperties: false },
);
export type Contexts = Static<typeof ContextsSchema>;

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
  const content: unknown = parse(text);
  if (Value.Check(ContextsSchema, content)) return content;
  const [first] = Value.Errors(ContextsSchema, content);
  const where = first === undefined ? '' : `: ${first.path === '' ? 'the file' : first.path}: ${first.message}`;
  throw new CommandFailure(`${file} is no configuration of parley${where}`, exitCodes.usage, [
    'write it with `parley context set NAME --url URL`',
  ]);
};

/** Replaced as a whole, so that it is never half written. */
export const writeContexts = async (env: NodeJS.ProcessEnv, contexts: Contexts): Promise<void> => {
  const file = contextsFile(env);
  await mkdir(path.dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, stringify(contexts), { mode: 0o600 });
  await rename(fresh, file);
};
