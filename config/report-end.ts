import { createLogger } from './logger';
import { SettingsError } from './settings';

/** Why a process could not start or go on. Before its settings are read nobody knows how it shall log. */
export const reportEnd = (name: string, error: unknown): void => {
  process.exitCode = 1;
  if (error instanceof SettingsError) console.error(error.message);
  else createLogger({ logLevel: 'info' }, name).fatal({ err: error }, `the ${name} has ended`);
};
