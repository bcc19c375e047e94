/** The api process. */
import { reportEnd } from '../config/report-end';
import { loadSettings } from '../config/settings';
import { runApi } from './run-api';

const main = (): Promise<void> => runApi(loadSettings(process.env));

main().catch((error: unknown) => reportEnd('api', error));
