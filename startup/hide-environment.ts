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

/** Opens the pipe with the settings, forgets them, and becomes the program of its arguments. */
const script = `exec ${pipe}<<END
$${handedOver}
END
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
  process.execve(shell, ['sh', '-c', script, 'sh', ...own], {
    ...left,
    [handedOver]: JSON.stringify(Object.fromEntries(hidden)),
  });
};

const takeOver = (env: NodeJS.ProcessEnv): void => {
  Object.assign(env, JSON.parse(readFileSync(pipe, 'utf8')));
  closeSync(pipe);
  Reflect.deleteProperty(env, handedOver);
};
