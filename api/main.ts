/** The api process. Its modules are loaded when its environment is hidden, which begins the process anew. */
import { hideEnvironment } from '../startup/hide-environment';

const main = async (stopping: AbortSignal): Promise<void> => {
  const [{ loadSettings }, { runApi }] = await Promise.all([import('../config/settings.js'), import('./run-api.js')]);
  return runApi(loadSettings(process.env), { stopping });
};

hideEnvironment(process.env);
void import('../config/run-program.js').then(({ runService }) => runService('api', main));
