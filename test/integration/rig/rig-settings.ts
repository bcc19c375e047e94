/** Settings for a service under test: short windows, a fast cloud. */
import { loadSettings, type Settings } from '../../../config/settings';

export interface RigAddresses {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
}

/** As the environment of a process, so that real processes and those within the test are set alike. */
export const rigEnvironment = (
  { databaseUrl, temporalAddress, namespace }: RigAddresses,
  changes: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  PARLEY_TEMPORAL_ADDRESS: temporalAddress,
  PARLEY_TEMPORAL_NAMESPACE: namespace,
  PARLEY_SIM_SPEED: '100',
  PARLEY_PROJECT_REPLY_SECONDS: '2',
  PARLEY_SCALE_IN_REPLY_SECONDS: '3',
  PARLEY_NACK_RETRIES: '1',
  PARLEY_NACK_RETRY_SECONDS: '1',
  PARLEY_OWN_ACTION_SECONDS: '2',
  PARLEY_LIVE_MOVE_SECONDS: '4',
  PARLEY_MOVE_SECONDS: '10',
  PARLEY_LOG_LEVEL: 'info',
  ...changes,
});

export const rigSettings = (environment: Readonly<Record<string, string>>): Settings => loadSettings(environment);
