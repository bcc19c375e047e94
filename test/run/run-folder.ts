/** The folder of a run of tests: all that the run makes or starts belongs to it, and goes with it (reaper.mjs). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface RunFolder {
  readonly folder: string;
  /** Ends what is left in the folder and removes it. Where it is not called, that happens when this process ends. */
  readonly close: () => Promise<void>;
}

/** Temporary files go there from now on, also those of the processes that are started. */
export const openRunFolder = (): RunFolder => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-test-')));
  chmodSync(folder, 0o755); // PostgreSQL may run as another user, who has to reach its data folder
  process.env['TMPDIR'] = folder;
  const reaper = spawn(process.execPath, [path.join(__dirname, 'reaper.mjs'), folder], {
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
