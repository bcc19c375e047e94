/** The api process. */
import { runService } from '../config/run-program';
import { loadSettings } from '../config/settings';
import { runApi } from './run-api';

const main = (stopping: AbortSignal): Promise<void> => runApi(loadSettings(process.env), { stopping });

runService('api', main);
