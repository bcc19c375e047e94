/** A process with a secret among its settings, which runs a script of a package. */
import { runPluginProcess } from '../../../plugins/actions/plugin-process';
import { hideEnvironment } from '../../../startup/hide-environment';

hideEnvironment(process.env);
const [, , directory = '', file = ''] = process.argv;
const { signal } = new AbortController();
const session = { id: 'session-1', workflow: 'vnf', state: 'PLANNED_MAINTENANCE' };
const run = { session, metadata: {}, directory, signal, earlierAttempts: 0, heartbeat: () => undefined };
void runPluginProcess({ kind: 'script', file }, { ...run, log: () => undefined }).then(({ state }) =>
  console.log(JSON.stringify({ knows: process.env['DATABASE_URL'], pid: process.pid, ppid: process.ppid, state })),
);
