/** Starts the services that tests run against, each the real one, on a free port and below the run's folder. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { startPostgres } from '../../../cli/stack/postgres';
import { startTemporalServer } from '../../../cli/stack/temporal-server';
import { migrate } from '../../../prisma/migrate';
import { findTestTemporal } from '../../run/find-temporal';
import { inMemory } from '../../run/memory-folder';
import { openRunFolder } from '../../run/run-folder';
import { keptBundle } from '../../run/workflow-bundle';
import { startKafka } from './kafka/kafka-broker';
import { stopAll, stopAtTheEnd } from './running-services';
import { templateDatabase } from './test-database';

/**
 * Databases are in memory: each is 300 files, and ext4 passes over the place of each file that was removed in the last
 * minutes. On disk, every database that a test makes and drops makes the next one dearer, up to half a second of a
 * processor.
 *
 * @returns the address of the server's maintenance database
 */
export const startTestPostgres = async (folder: string): Promise<string> => {
  const postgres = await startPostgres({
    dataFolder: path.join(inMemory(folder), 'postgres'),
    port: await anyFreePort(),
    logFile: path.join(folder, 'postgres.log'),
    unsafeButFast: true,
  });
  stopAtTheEnd(postgres.stop);
  await migrate(postgres.urlOf(templateDatabase));
  return postgres.urlOf('postgres');
};

/** @returns its address */
export const startTestTemporal = async (folder: string): Promise<string> => {
  const temporal = await startTemporalServer({
    program: await findTestTemporal(),
    databaseFile: path.join(folder, 'temporal.db'),
    port: await anyFreePort(),
    namespace: 'default',
    logFile: path.join(folder, 'temporal.log'),
  });
  stopAtTheEnd(temporal.stop);
  return temporal.address;
};

/** @returns its address */
export const startTestKafka = async (folder: string): Promise<string> => {
  const port = await anyFreePort();
  const kafka = await startKafka({ folder: path.join(folder, 'kafka'), port, controllerPort: await anyFreePort() });
  stopAtTheEnd(kafka.stop);
  return kafka.address;
};

/** @returns the file with the bundle of the workflows as they are now */
export const bundleTestWorkflows = async (folder: string): Promise<string> => {
  const code = await keptBundle();
  const file = path.join(folder, 'workflow-bundle.js');
  await writeFile(file, code);
  return file;
};

/** Starts services for the length of a test run, in a folder that goes with them, however the run ends. */
export const startForRun = async (startAll: (folder: string) => Promise<void>): Promise<void> => {
  const { folder, close } = openRunFolder();
  stopAtTheEnd(close);
  try {
    await startAll(folder);
  } catch (error) {
    await stopAll();
    throw error;
  }
};
