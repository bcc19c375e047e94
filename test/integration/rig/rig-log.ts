/**
 * The log of the service within a test file goes to a file, which is printed when the test file fails, or to a test.
 */
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { loggerOptions } from '../../../config/logger';
import type { Settings } from '../../../config/settings';
import { fileFolder } from '../setup/file-folder';

/** @param write takes each line in place of the file */
export const openRigLog = (settings: Pick<Settings, 'logLevel'>, write?: (line: string) => void): Logger => {
  const file = () => pino.destination({ dest: path.join(fileFolder(), 'rig.log'), append: true });
  return pino(loggerOptions(settings, 'rig'), write === undefined ? file() : { write });
};
