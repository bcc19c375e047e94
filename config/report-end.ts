import { createLogger } from './logger';
import { SettingsError } from './settings';

/** Reports why a process could not start or continue. It uses no settings, because they may not have been read yet. */
export const reportEnd = (name: string, error: unknown): void => {
  process.exitCode = 1;
  if (error instanceof SettingsError) console.error(error.message);
  else createLogger({ logLevel: 'info' }, name).fatal({ err: error }, `the ${name} has ended`);
};
