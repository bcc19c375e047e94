/**
 * Ends what earlier test runs left behind: the services outlive a run that is killed, since each is in a process group
 * of its own. A run's folder names the process that it belongs to.
 */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endLeftOverPostgres } from '../../../cli/stack/postgres';
import { endLeftOver, isRunning, readPid } from '../../../cli/stack/service-process';
import { endLeftOverTemporalServer } from '../../../cli/stack/temporal-server';
import { endLeftOverOpenStack } from '../../openstack/rig/start-openstack';
import { endLeftOverKafka } from './kafka/kafka-broker';

export const runFolderPrefix = 'parley-test-';
const ownerFile = 'runner.pid';

export const ownFolder = (folder: string): Promise<void> => writeFile(path.join(folder, ownerFile), `${process.pid}\n`);

/** The service's own processes, where a test runs them so (faults/service-under-fire.ts). */
const endPrograms = async (folder: string): Promise<void> => {
  const pidFiles = (await readdir(folder)).filter((name) => /^(api|worker(-\d+)?)\.pid$/.test(name));
  for (const name of pidFiles) {
    await endLeftOver({ pidFile: path.join(folder, name), mark: folder, stopSignal: 'SIGKILL' });
  }
};

const endServicesIn = async (folder: string): Promise<void> => {
  await endPrograms(folder);
  await endLeftOverOpenStack(path.join(folder, 'openstack'));
  await endLeftOverKafka(path.join(folder, 'kafka'));
  await endLeftOverTemporalServer(path.join(folder, 'temporal.db'));
  await endLeftOverPostgres(path.join(folder, 'postgres'));
  await rm(folder, { recursive: true, force: true });
};

export const endKilledRuns = async (): Promise<void> => {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(runFolderPrefix));
  for (const folder of names.map((name) => path.join(tmpdir(), name))) {
    const owner = readPid(path.join(folder, ownerFile));
    if (owner !== undefined && !(await isRunning(owner, 'jest'))) await endServicesIn(folder);
  }
};
