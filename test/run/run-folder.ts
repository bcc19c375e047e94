/** The folder of a run of tests: all that the run makes or starts belongs to it, and goes with it (reaper.mjs). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../../cli/stack/cache';
import { memoryRoot } from './memory-folder';

export interface RunFolder {
  readonly folder: string;
  /** Ends what is left in the folder and removes it. Where it is not called, that happens when this process ends. */
  readonly close: () => Promise<void>;
}

/**
 * Settings that make what a run starts cheaper. Temporal is a Go program: with one thread for its goroutines, and a
 * heap that grows to five times what is in use before it is collected, a session costs it a third less processor time.
 * Node.js keeps what it has compiled: each process of a stack starts with a third less.
 */
const thriftySettings = {
  GOMAXPROCS: '1',
  GOGC: '400',
  NODE_COMPILE_CACHE: path.join(__dirname, '../../node_modules/.cache/node'),
};

/** Temporary files go there from now on, also those of the processes that are started. */
export const openRunFolder = (): RunFolder => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-test-')));
  chmodSync(folder, 0o755); // PostgreSQL may run as another user, who has to reach its data folder
  process.env['TMPDIR'] = folder;
  Object.assign(process.env, thriftySettings);
  const args = [path.join(__dirname, 'reaper.mjs'), folder, cacheFolder(process.env), memoryRoot];
  const reaper = spawn(process.execPath, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  reaper.unref();
  (reaper.stdin as unknown as { unref: () => void }).unref();
  return {
    folder,
    async close() {
      reaper.ref();
      const ended = once(reaper, 'exit');
      reaper.stdin.end();
      await ended;
    },
  };
};
