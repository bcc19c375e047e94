/** The api process. */
import { loadSettings } from '../config/settings';
import { runApi } from './run-api';

const main = (): Promise<void> => runApi(loadSettings(process.env));

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
