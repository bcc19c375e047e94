/** The Temporal server that deployments run, with its data in the PostgreSQL of the tests. */
import { setUpTemporalSchema } from '../../../dev/temporal-server/schema';
import { startTemporalOnPostgres } from '../../../dev/temporal-server/server';
import { testServices } from '../setup/services';

export interface ProductionTemporal {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** Its databases have fixed names, so one test file at a time can have it. */
export const startProductionTemporal = async (folder: string): Promise<ProductionTemporal> => {
  const postgresPort = Number(new URL(testServices().postgresUrl).port);
  await setUpTemporalSchema(folder, postgresPort);
  const server = await startTemporalOnPostgres({ folder, postgresPort, historyShards: 4, connections: 10 });
  return { address: server.address, stop: server.process.stop };
};
