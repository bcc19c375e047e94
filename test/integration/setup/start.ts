/**
 * Jest's global set-up of the integration tests: PostgreSQL with a migrated template database, Temporal and Kafka,
 * each the real one, on free ports and in a temporary folder; and the Python environment of the tests that want Keystone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { startPostgres } from '../../../cli/stack/postgres';
import { findTemporalProgram } from '../../../cli/stack/temporal-program';
import { startTemporalServer } from '../../../cli/stack/temporal-server';
import { migrate } from '../../../prisma/migrate';
import { endKilledRuns, ownFolder, runFolderPrefix } from './end-killed-runs';
import { keystonePython } from '../../keystone-rig/keystone-rig';
import { startKafka } from './kafka/kafka-broker';
import { stopAll, stopAtTheEnd } from './running-services';
import { announceServices } from './services';
import { templateDatabase } from './test-database';

const startTestPostgres = async (folder: string): Promise<string> => {
  const postgres = await startPostgres({
    dataFolder: path.join(folder, 'postgres'),
    port: await anyFreePort(),
    logFile: path.join(folder, 'postgres.log'),
    unsafeButFast: true,
  });
  stopAtTheEnd(postgres.stop);
  await migrate(postgres.urlOf(templateDatabase));
  return postgres.urlOf('postgres');
};

const startTestTemporal = async (folder: string): Promise<string> => {
  const tell = (line: string): void => console.log(line);
  const temporal = await startTemporalServer({
    program: await findTemporalProgram({ env: process.env, tell }),
    databaseFile: path.join(folder, 'temporal.db'),
    port: await anyFreePort(),
    namespace: 'default',
    logFile: path.join(folder, 'temporal.log'),
  });
  stopAtTheEnd(temporal.stop);
  return temporal.address;
};

const startTestKafka = async (folder: string): Promise<string> => {
  const port = await anyFreePort();
  const kafka = await startKafka({ folder: path.join(folder, 'kafka'), port, controllerPort: await anyFreePort() });
  stopAtTheEnd(kafka.stop);
  return kafka.address;
};

const startAll = async (folder: string): Promise<void> => {
  const started = await Promise.allSettled([
    startTestPostgres(folder),
    startTestTemporal(folder),
    startTestKafka(folder),
    keystonePython(), // made here, so that no test waits for it
  ]);
  const failed = started.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const [postgresUrl, temporalAddress, kafkaAddress] = started.map((each) =>
    each.status === 'fulfilled' ? each.value : '',
  );
  announceServices({ postgresUrl: postgresUrl!, temporalAddress: temporalAddress!, kafkaBrokers: [kafkaAddress!] });
};

// Jest wants the set-up as default export
export default async (): Promise<void> => {
  await endKilledRuns();
  const folder = await mkdtemp(path.join(tmpdir(), runFolderPrefix));
  await ownFolder(folder);
  // PostgreSQL may run as another user, who has to reach its data folder
  chmodSync(folder, 0o755);
  stopAtTheEnd(() => rm(folder, { recursive: true, force: true }));
  try {
    await startAll(folder);
  } catch (error) {
    await stopAll();
    throw error;
  }
};
