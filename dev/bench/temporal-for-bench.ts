/** The Temporal server of deployments, with a PostgreSQL of its own, for a measurement. */
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import Long from 'long';
import { anyFreePort } from '../../cli/stack/ports';
import { removePostgres, startPostgres } from '../../cli/stack/postgres';
import { settingsTable } from '../../config/settings-table';
import { connectTemporal } from '../../temporal/connect';
import { hasGrpcCode } from '../../temporal/grpc-codes';
import { setUpTemporalSchema } from '../temporal-server/schema';
import { startTemporalOnPostgres } from '../temporal-server/server';
import { until } from './session';

export interface TemporalForBench {
  /** Settings of the service that name it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The processes of the server and of its PostgreSQL. */
  readonly pids: readonly number[];
  readonly stop: () => Promise<void>;
}

const namespace = 'parley-bench';
const retention = { seconds: Long.fromNumber(30 * 86_400) };

/** The server's parts learn of a namespace one after the other. */
const makeNamespace = async (temporalAddress: string): Promise<void> => {
  const { client, close } = await connectTemporal({ temporalAddress, temporalNamespace: namespace });
  const attempt = (call: () => Promise<unknown>) => (): Promise<boolean> =>
    call().then(
      () => true,
      (error: unknown) => hasGrpcCode(error, 'ALREADY_EXISTS'),
    );
  const waiting = { withinMs: 120_000, signal: AbortSignal.timeout(120_000) };
  const register = { namespace, workflowExecutionRetentionPeriod: retention };
  try {
    const registered = attempt(() => client.workflowService.registerNamespace(register));
    await until(registered, { what: 'the namespace', ...waiting });
    await until(
      attempt(() => client.workflow.count()),
      { what: 'the namespace in all services', ...waiting },
    );
  } finally {
    await close();
  }
};

/** @throws Error where its programs can be neither downloaded nor built */
export const startTemporalForBench = async (folder: string): Promise<TemporalForBench> => {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755); // PostgreSQL may run as another user
  const [port, dataFolder] = [await anyFreePort(), path.join(folder, 'postgres')];
  const serverSettings = { max_connections: '200' };
  const postgres = await startPostgres({
    dataFolder,
    port,
    logFile: path.join(folder, 'postgres.log'),
    serverSettings,
  });
  const stops = [() => removePostgres(dataFolder), postgres.stop];
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next();
  };
  try {
    await setUpTemporalSchema(folder, port);
    const server = await startTemporalOnPostgres({ folder, postgresPort: port, historyShards: 32, connections: 40 });
    stops.push(server.process.stop);
    await makeNamespace(server.address);
    const environment = {
      [settingsTable.temporalAddress.name]: server.address,
      [settingsTable.temporalNamespace.name]: namespace,
    };
    return { environment, pids: [server.process.pid, postgres.process.pid], stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
