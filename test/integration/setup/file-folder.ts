/**
 * The folder of a test file within the run's, with its rigs' logs: when the file fails, they are printed
 * (run/failure-reporter.cjs, which knows its name).
 */
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { testServices } from './services';

export const fileFolder = (): string => {
  const { testPath = 'no-test' } = expect.getState();
  const folder = path.join(testServices().folder, 'files', path.basename(testPath));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755); // PostgreSQL may run as another user, who has to reach its data folder
  return folder;
};
