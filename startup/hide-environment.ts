/**
 * Hides the settings from /proc/PID/environ, where other programs of the same user could read them: scripts of packages
 * run as that user. The kernel shows the environment with which a process was started, whatever it does to it later. So
 * the process is replaced by itself, under the same ID and with the same files, and gets its settings by a pipe.
 */
import { closeSync, existsSync, readFileSync } from 'node:fs';

/** What Node.js, and libraries in it, read before or beside the settings. None of it is secret. */
const shown = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|NODE_\w+|SSL_CERT_\w+|LD_\w+|UV_\w+|MALLOC_\w+)$/;

const handedOver = 'SETTINGS_BY_PIPE';
const pipe = 3;
const shell = '/bin/sh';

/** Linux takes 128 KiB in one variable, and a cluster with many services puts more than that into the environment. */
const partLength = 100_000;

/** Opens the pipe with the settings of these variables, forgets them, and becomes the program of its arguments. */
const scriptFor = (names: readonly string[]): string => `exec ${pipe}<<END
${names.map((name) => `$${name}`).join('')}
END
unset ${names.join(' ')}
${handedOver}=${pipe} exec "$@"`;

/** Does nothing where the system has no shell, such as Windows: then the settings stay where they are. */
export const hideEnvironment = (env: NodeJS.ProcessEnv): void => {
  if (env[handedOver] === String(pipe)) {
    takeOver(env);
    return;
  }
  const hidden = Object.entries(env).filter(([name]) => !shown.test(name));
  if (hidden.length === 0 || process.execve === undefined || !existsSync(shell)) return;
  const left = Object.fromEntries(Object.entries(env).filter(([name]) => shown.test(name)));
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const parts = partsOf(Buffer.from(JSON.stringify(Object.fromEntries(hidden))).toString('base64'));
  const script = scriptFor(parts.map(([name]) => name));
  process.execve(shell, ['sh', '-c', script, 'sh', ...own], { ...left, ...Object.fromEntries(parts) });
};

/** The text in variables, each with its name. */
const partsOf = (text: string): [string, string][] =>
  Array.from({ length: Math.ceil(text.length / partLength) }, (_, at) => [
    `${handedOver}_${at}`,
    text.slice(at * partLength, (at + 1) * partLength),
  ]);

const takeOver = (env: NodeJS.ProcessEnv): void => {
  Object.assign(env, JSON.parse(Buffer.from(readFileSync(pipe, 'utf8'), 'base64').toString()));
  closeSync(pipe);
  Reflect.deleteProperty(env, handedOver);
};
