/** Servers of one service under fire, each supervised, on data that outlive it: below the service's folder. */
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { postgresUrl, startPostgres } from '../../../cli/stack/postgres';
import { findTemporalProgram } from '../../../cli/stack/temporal-program';
import { startTemporalServer } from '../../../cli/stack/temporal-server';
import { killedSessionMs, startKafka } from '../setup/kafka/kafka-broker';
import { supervise, type Supervised } from './supervised';

export interface OwnServer {
  readonly supervised: Supervised;
  readonly address: string;
}

/** Its address is the URL of the service's database, which need not exist yet. */
export const ownPostgres = async (folder: string): Promise<OwnServer> => {
  const port = await anyFreePort();
  // Committed data must outlive a kill here, so this server does not use the faster, unsafe way of the other tests.
  const options = { dataFolder: path.join(folder, 'postgres'), port, logFile: path.join(folder, 'postgres.log') };
  const supervised = await supervise(async () => (await startPostgres(options)).process);
  return { supervised, address: postgresUrl(port, 'parley') };
};

export const ownTemporal = async (folder: string, namespace: string): Promise<OwnServer> => {
  const program = await findTemporalProgram({ env: process.env, tell: () => undefined });
  const port = await anyFreePort();
  const files = { databaseFile: path.join(folder, 'temporal.db'), logFile: path.join(folder, 'temporal.log') };
  const options = { program, port, namespace, ...files };
  const supervised = await supervise(async () => (await startTemporalServer(options)).process);
  return { supervised, address: `127.0.0.1:${port}` };
};

export const ownKafka = async (folder: string): Promise<OwnServer> => {
  const options = {
    folder: path.join(folder, 'kafka'),
    port: await anyFreePort(),
    controllerPort: await anyFreePort(),
    sessionMs: killedSessionMs,
  };
  const supervised = await supervise(async () => (await startKafka(options)).process);
  return { supervised, address: `127.0.0.1:${options.port}` };
};
