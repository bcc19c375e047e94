/** The demo begins anew each time: what the last one left in its data folder goes, running processes included. */
import { rm } from 'node:fs/promises';
import { takeDataFolder } from '../stack/only-one';
import { clearOwnServers } from '../stack/own-servers';
import { endLeftOverPrograms } from '../stack/service-programs';
import { endLeftOverManagers } from './managers';

/** @throws Error while another demo runs on the folder */
export const clearDataFolder = async (dataDir: string): Promise<void> => {
  const giveFree = await takeDataFolder(dataDir);
  await endLeftOverManagers(dataDir);
  await endLeftOverPrograms(dataDir);
  await clearOwnServers(dataDir);
  await giveFree();
  await rm(dataDir, { recursive: true, force: true });
};
