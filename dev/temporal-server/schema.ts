/** The schemas of the Temporal server in a PostgreSQL. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { packageRoot } from '../../cli/package-root';
import { isErrorWithCode } from '../../cli/stack/error-code';
import { temporalPrograms } from './programs';

const run = promisify(execFile);

interface Compose {
  readonly services: Readonly<Record<string, { readonly command: readonly string[] }>>;
}

/** The commands that docker-compose.yml gives to Temporal's tools. */
const commandsOfCompose = async (): Promise<string> => {
  const text = await readFile(path.join(packageRoot, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true }) as Compose;
  const commands = services['temporal-schema']?.command ?? [];
  return commands.join('\n').replaceAll('$$', '$');
};

/** The tool has this name in the image that docker-compose.yml uses. */
const nameTool = async (folder: string): Promise<void> => {
  const { sql } = await temporalPrograms();
  await mkdir(folder, { recursive: true });
  await symlink(sql, path.join(folder, 'temporal-sql-tool')).catch((error: unknown) => {
    if (!isErrorWithCode(error, 'EEXIST')) throw error;
  });
};

/**
 * Makes the databases and their schemas, or brings them up to date, by the commands of docker-compose.yml.
 * @param folder for the tool
 * @param postgresPort of a PostgreSQL on this machine that trusts the user `parley`
 */
export const setUpTemporalSchema = async (folder: string, postgresPort: number): Promise<void> => {
  const tools = path.join(folder, 'tools');
  await nameTool(tools);
  await run('/bin/sh', ['-euc', await commandsOfCompose()], {
    env: {
      ...process.env,
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: '127.0.0.1',
      SQL_PORT: String(postgresPort),
      SQL_USER: 'parley',
      SQL_PASSWORD: 'none',
    },
  });
};
