/** The clouds that there are, by the name that the setting PARLEY_CLOUD gives. */
import type { Database } from '../prisma/database';
import type { CloudDriver } from './cloud-driver';
import { openOpenStack, type OpenStackSettings } from './openstack/open-openstack';
import { readFleetFile } from './simulated/fleet-file';
import { loadFleetIfNone } from './simulated/load-fleet';
import { createSimulatedCloud } from './simulated/simulated-cloud';

/** The settings that choose and shape a cloud (part of config/settings.ts). */
export interface CloudSettings extends OpenStackSettings {
  readonly cloud: string;
  /** Simulated seconds per real second. */
  readonly simSpeed: number;
}

export interface CloudSources {
  readonly settings: CloudSettings;
  readonly db: Database;
}

const drivers: ReadonlyMap<string, (sources: CloudSources) => CloudDriver> = new Map([
  ['simulated', ({ settings, db }: CloudSources) => createSimulatedCloud({ db, speed: settings.simSpeed })],
  ['openstack', openOpenStack],
]);

/** @throws Error that lists the clouds there are, where the settings name another */
export const openCloud = (sources: CloudSources): CloudDriver => {
  const open = drivers.get(sources.settings.cloud);
  if (open !== undefined) return open(sources);
  const known = [...drivers.keys()].join(', ');
  throw new Error(`PARLEY_CLOUD: there is no cloud "${sources.settings.cloud}"; there is ${known}`);
};

/**
 * At start-up: loads the fleet file into the simulated cloud, with its constraints, where there is no fleet yet.
 * Any number of processes may call it at once. @throws FleetError that names the file and what is wrong in it
 */
export const loadFleetOnce = async (db: Database, fleetFile: string): Promise<'loaded' | 'kept'> =>
  loadFleetIfNone(db, await readFleetFile(fleetFile));
