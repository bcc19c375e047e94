/** The kinds of clouds, by their values in the setting PARLEY_CLOUD. */
import type { Database } from '../prisma/database';
import { StartFault } from '../startup/start-fault';
import type { CloudDriver } from './cloud-driver';
import { type KubernetesSettings, openKubernetes } from './kubernetes/open-kubernetes';
import { openOpenStack, type OpenStackSettings } from './openstack/open-openstack';
import { FleetError } from './simulated/fleet-error';
import { readFleetFile } from './simulated/fleet-file';
import { type FleetAtStart, loadFleetIfNone } from './simulated/load-fleet';
import { createSimulatedCloud } from './simulated/simulated-cloud';

/** The settings that choose and configure a cloud (part of config/settings.ts). */
export interface CloudSettings extends OpenStackSettings, KubernetesSettings {
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
  ['kubernetes', openKubernetes],
]);

/** @throws Error that lists all kinds of clouds, when the settings name another */
export const openCloud = (sources: CloudSources): CloudDriver => {
  const open = drivers.get(sources.settings.cloud);
  if (open !== undefined) return open(sources);
  const known = [...drivers.keys()].join(', ');
  throw new Error(`PARLEY_CLOUD: there is no cloud "${sources.settings.cloud}"; there is ${known}`);
};

/**
 * Loads the fleet file into the simulated cloud at the start, with its constraints, when there is no fleet yet. Any
 * number of processes may call it at once. @throws StartFault that names the file and its fault
 */
export const loadFleetOnce = async (db: Database, fleetFile: string): Promise<FleetAtStart> =>
  loadFleetIfNone(db, await readFleetFile(fleetFile).catch(atStart));

const atStart = (cause: unknown): never => {
  throw cause instanceof FleetError ? new StartFault(`PARLEY_FLEET: ${cause.message}`, { cause }) : cause;
};
