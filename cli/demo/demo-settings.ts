/**
 * The demo's settings: a fast cloud and short windows. Of Parley's settings in the environment, it only uses the port
 * and the data folder.
 */
import path from 'node:path';
import { allSettings, settingsTable } from '../../config/settings-table';
import { packageRoot } from '../package-root';
import { freePortFrom } from '../stack/ports';

/** A line for the person who watches. */
export const demoPace = {
  [settingsTable.simSpeed.name]: '30',
  [settingsTable.projectReplySeconds.name]: '3',
  [settingsTable.ownActionSeconds.name]: '20',
  [settingsTable.liveMoveSeconds.name]: '10',
  [settingsTable.moveSeconds.name]: '30',
} as const;

export const exampleFile = (name: string): string => path.join(packageRoot, 'examples/demo', name);

/** The environment without Parley's settings. */
export const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const names = new Set(allSettings.map(({ name }) => name));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
};

/** The demo's own folder, within the one of the local stack. */
export const demoDataDir = (env: NodeJS.ProcessEnv): string => {
  const { name, read } = settingsTable.dataDir;
  return path.join(read(env[name] === '' ? undefined : env[name]), 'demo');
};

/** The port that the environment names, or else the usual one or the next free one. */
const portOf = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const { name, read } = settingsTable.port;
  const given = (env[name] ?? '').trim();
  return given === '' ? String(await freePortFrom(read(undefined))) : given;
};

/** The environment of the demo's stack. */
export const demoEnvironment = async (env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> => ({
  ...withoutSettings(env),
  ...demoPace,
  [settingsTable.dataDir.name]: demoDataDir(env),
  [settingsTable.fleetFile.name]: exampleFile('fleet.json'),
  [settingsTable.port.name]: await portOf(env),
});
