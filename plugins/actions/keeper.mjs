/**
 * Runs downloaded code in a process apart from the worker. plugin-process.ts starts it as the leader of its own process
 * group. It runs one script, or one module, reports the outcome, and exits. When the worker dies, it ends the whole
 * group, so that another worker can begin again.
 */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** Temporal gives a killed worker's activity to another one after 10 s. Nothing of this group is left by then. */
const graceMs = 5_000;
const stopping = new AbortController();

// SIGTERM tells the group to end; this process stays to report the outcome.
process.on('SIGTERM', () => stopping.abort());
process.on('disconnect', () => {
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), graceMs);
});

/** @param {{ state: string | null } | { failure: string }} end */
const finish = (end) => process.send(end, () => process.exit());

const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** The environment without the variables that tell a Node.js process how to talk to its parent. */
const scriptEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_CHANNEL_')));

/** The script's exit code decides. */
const runScript = (file) => {
  const script = spawn(file, [], { env: scriptEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] });
  script.on('error', (error) => finish({ failure: `cannot be started: ${messageOf(error)}` }));
  script.on('exit', (code, signal) => {
    if (code === 0) finish({ state: null });
    else finish({ failure: signal === null ? `ended with exit code ${code}` : `was ended by ${signal}` });
  });
};

const hasRun = (candidate) => typeof candidate?.run === 'function';

/** Loads CommonJS or an ES module, whose exports, or default export, are `{ name, run }`. */
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
