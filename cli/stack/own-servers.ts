/** PostgreSQL and Temporal of the local stack: those that the environment names, or else servers in the data folder. */
import path from 'node:path';
import type { Settings } from '../../config/settings';
import { keepRunning } from './keep-running';
import { serviceDatabase } from './local-database';
import { PortTaken } from './one-start-at-a-time';
import { portFile, rememberedPort } from './ports';
import { endLeftOverPostgres, removePostgres, startPostgres } from './postgres';
import { findTemporalProgram } from './temporal-program';
import { endLeftOverTemporalServer, startTemporalServer } from './temporal-server';

export interface Surroundings {
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  /** A line for the person who watches. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  /** Functions to run when the stack stops, last added first. */
  readonly atStop: (stop: () => Promise<void>) => void;
}

const usualPorts = { postgres: 15_432, temporal: 7_233, temporalUi: 8_233 } as const;

const postgresFolder = (dataDir: string): string => path.join(dataDir, 'postgres');
const temporalFile = (dataDir: string): string => path.join(dataDir, 'temporal.db');

const chosenPort = (dataDir: string, server: keyof typeof usualPorts): Promise<number> =>
  rememberedPort(portFile(dataDir, server), usualPorts[server]);

const attempts = 5;

/** Again with other ports, where another program takes one between the choice and the start. */
const untilPortsAreFree = async <T>(chooseAndStart: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await chooseAndStart();
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === attempts) throw error;
    }
  }
};

export const isGiven = (env: NodeJS.ProcessEnv, name: string): boolean => (env[name] ?? '').trim() !== '';

/**
 * Ends the servers that an earlier, killed supervisor left running on the data folder, and removes PostgreSQL's data.
 */
export const clearOwnServers = async (dataDir: string): Promise<void> => {
  await endLeftOverTemporalServer(temporalFile(dataDir));
  await removePostgres(postgresFolder(dataDir));
};

/** @returns the service's database address */
export const providePostgres = async ({ settings, env, tell, atStop }: Surroundings): Promise<string> => {
  if (isGiven(env, 'DATABASE_URL')) return settings.databaseUrl;
  const { dataDir } = settings;
  const dataFolder = postgresFolder(dataDir);
  await endLeftOverPostgres(dataFolder);
  const logFile = path.join(dataDir, 'logs/postgres.log');
  const { port, start, postgres } = await untilPortsAreFree(async () => {
    const port = await chosenPort(dataDir, 'postgres');
    const start = () => startPostgres({ dataFolder, port, logFile });
    return { port, start, postgres: await start() };
  });
  const kept = keepRunning({ first: postgres.process, startAgain: async () => (await start()).process, tell });
  atStop(kept.stop);
  tell(`PostgreSQL runs on port ${String(port)}`);
  return postgres.urlOf(serviceDatabase);
};

export interface ProvidedTemporal {
  readonly address: string;
  /** Absent when the server is not ours. */
  readonly uiAddress?: string;
}

export const provideTemporal = async (surroundings: Surroundings): Promise<ProvidedTemporal> => {
  const { settings, env, tell, signal, atStop } = surroundings;
  if (isGiven(env, 'PARLEY_TEMPORAL_ADDRESS')) return { address: settings.temporalAddress };
  const { dataDir, temporalNamespace: namespace } = settings;
  const databaseFile = temporalFile(dataDir);
  const program = await findTemporalProgram({ env, tell, signal });
  await endLeftOverTemporalServer(databaseFile);
  const logFile = path.join(dataDir, 'logs/temporal.log');
  const { port, start, temporal } = await untilPortsAreFree(async () => {
    const port = await chosenPort(dataDir, 'temporal');
    const uiPort = await chosenPort(dataDir, 'temporalUi');
    const start = () => startTemporalServer({ program, databaseFile, port, uiPort, namespace, logFile });
    return { port, start, temporal: await start() };
  });
  const kept = keepRunning({ first: temporal.process, startAgain: async () => (await start()).process, tell });
  atStop(kept.stop);
  tell(`Temporal runs on port ${String(port)}`);
  return temporal;
};
