/**
 * Clears the demo's data folder, since the demo begins afresh each time: ends running processes, and removes the files.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isClaim, takeDataFolder } from '../stack/only-one';
import { clearOwnServers } from '../stack/own-servers';
import { endLeftOverPrograms } from '../stack/service-programs';
import { endLeftOverManagers } from './managers';

/**
 * Empties the folder and keeps it for the next stack.
 * @throws Error while another demo runs on the folder
 */
export const clearDataFolder = async (dataDir: string): Promise<void> => {
  await takeDataFolder(dataDir);
  await endLeftOverManagers(dataDir);
  await endLeftOverPrograms(dataDir);
  await clearOwnServers(dataDir);
  const names = (await readdir(dataDir)).filter((name) => !isClaim(name));
  for (const name of names) await rm(path.join(dataDir, name), { recursive: true, force: true });
};
