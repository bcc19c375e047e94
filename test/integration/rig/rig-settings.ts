/**
 * Settings for a service under test: a fast cloud, and time enough for managers and moves on a slow machine. Who tests
 * that a window ends without an answer ends it himself (windows.ts).
 */
import { loadSettings, type Settings } from '../../../config/settings';

export interface RigAddresses {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
}

/** The settings as the environment of a process, so that real processes and those in the test have the same ones. */
export const rigEnvironment = (
  { databaseUrl, temporalAddress, namespace }: RigAddresses,
  changes: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  PARLEY_TEMPORAL_ADDRESS: temporalAddress,
  PARLEY_TEMPORAL_NAMESPACE: namespace,
  PARLEY_SIM_SPEED: '100',
  PARLEY_PROJECT_REPLY_SECONDS: '60',
  PARLEY_SCALE_IN_REPLY_SECONDS: '60',
  PARLEY_NACK_RETRIES: '1',
  PARLEY_NACK_RETRY_SECONDS: '1',
  PARLEY_OWN_ACTION_SECONDS: '15',
  PARLEY_LIVE_MOVE_SECONDS: '60',
  PARLEY_MOVE_SECONDS: '60',
  // Who tests what is told of it switches it on.
  PARLEY_COMING_SECONDS: '0',
  PARLEY_LOG_LEVEL: 'info',
  ...changes,
});

export const rigSettings = (environment: Readonly<Record<string, string>>): Settings => loadSettings(environment);
