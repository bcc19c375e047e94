/** The api process. */
import { runService } from '../config/run-program';
import { loadSettings } from '../config/settings';
import { runApi } from './run-api';

const main = (): Promise<void> => runApi(loadSettings(process.env));

runService('api', main);
