/**
 * Runs the tests on real kubelets, where the machine can run those, and else says what it lacks: that is no failure.
 * Arguments go to Jest.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { whyNoKubelets } from './rig/can-run';

const root = path.join(__dirname, '../..');

const runJest = (): number => {
  const args = ['node_modules/jest/bin/jest.js', '--selectProjects', 'kubelets', '--runInBand'];
  const all = [...args, ...process.argv.slice(2)];
  const { status, error } = spawnSync(process.execPath, all, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
};

const missing = whyNoKubelets();
if (missing === undefined) process.exitCode = runJest();
else console.log(`left out: ${missing}`);
