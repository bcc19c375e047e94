/** The folder for downloaded and built programs, shared by all clones of a user. */
import { homedir } from 'node:os';
import path from 'node:path';

export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  path.join(env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'parley');
