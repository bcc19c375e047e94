/** Where what was downloaded or built once is kept for all clones of a user. */
import { homedir } from 'node:os';
import path from 'node:path';

export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  path.join(env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'parley');
