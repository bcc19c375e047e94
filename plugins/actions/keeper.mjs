/**
 * The process in which downloaded code runs, apart from the worker: started by plugin-process.ts as the leader of a
 * process group of its own. It runs one script, or one module, tells how that ended, and exits. Should the worker die,
 * it ends the whole group, so that another worker can begin anew.
 */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** A killed worker's activity goes to another one after 10 s; by then nothing of this group is left. */
const graceMs = 5_000;
const stopping = new AbortController();

// The group is told to end by SIGTERM; this process stays to tell how that went.
process.on('SIGTERM', () => stopping.abort());
process.on('disconnect', () => {
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), graceMs);
});

/** @param {{ state: string | null } | { failure: string }} end */
const finish = (end) => process.send(end, () => process.exit());

const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Without what tells a Node.js process how to talk to its parent. */
const scriptEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_CHANNEL_')));

/** Its exit code decides. */
const runScript = (file) => {
  const script = spawn(file, [], { env: scriptEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] });
  script.on('error', (error) => finish({ failure: `cannot be started: ${messageOf(error)}` }));
  script.on('exit', (code, signal) => {
    if (code === 0) finish({ state: null });
    else finish({ failure: signal === null ? `ended with exit code ${code}` : `was ended by ${signal}` });
  });
};

const hasRun = (candidate) => typeof candidate?.run === 'function';

/** CommonJS or an ES module; `{ name, run }` may be what it exports, or its default. */
const loadPlugin = async (file) => {
  const loaded = await import(pathToFileURL(file).href);
  return [loaded.default?.default, loaded.default, loaded].find(hasRun);
};

const runModule = async (file, run) => {
  try {
    const plugin = await loadPlugin(file);
    if (plugin === undefined) return finish({ failure: 'its module exports no function named run' });
    const result = await plugin.run({ ...run, signal: stopping.signal, log: (message) => console.log(message) });
    finish({ state: typeof result?.state === 'string' ? result.state : null });
  } catch (error) {
    if (error instanceof Error) console.error(error.stack);
    finish({ failure: messageOf(error) });
  }
};

process.once('message', ({ kind, file, run }) => (kind === 'script' ? runScript(file) : void runModule(file, run)));
