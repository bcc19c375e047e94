/**
 * A PostgreSQL with a streaming standby, behind one address that leads to one of both, as a virtual address does. The
 * primary acknowledges a commit when the standby has it, too.
 */
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { type Postgres, startPostgres } from '../../../cli/stack/postgres';
import { askServer, dataFolderOf, makeBaseBackup, writeInto } from '../restore/base-backup';
import { startRelay } from '../rig/relay';

export interface ReplicatedPostgres {
  /** The address of a database on the server that is in charge. */
  urlOf(database: string): string;
  /** Kills the primary with -9. The address leads nowhere then. */
  killPrimary(): Promise<void>;
  /** Lets the address lead to the standby, which only reads until it is promoted. */
  leadToStandby(): Promise<void>;
  promoteStandby(): Promise<void>;
  stop(): Promise<void>;
}

const standbyName = 'standby';

const startPrimary = async (folder: string): Promise<Postgres> =>
  startPostgres({
    dataFolder: path.join(folder, 'primary'),
    logFile: path.join(folder, 'primary.log'),
    port: await anyFreePort(),
    unsafeButFast: true, // the machine goes on when the server is killed
    serverSettings: { synchronous_commit: 'on', synchronous_standby_names: standbyName },
  });

const startStandby = async (folder: string, primary: Postgres): Promise<Postgres> => {
  const dataFolder = path.join(path.dirname(await dataFolderOf(primary)), standbyName);
  await makeBaseBackup(primary, dataFolder);
  await writeInto(dataFolder, 'standby.signal', '');
  const { hostname, port, username } = new URL(primary.urlOf('postgres'));
  const source = `host=${hostname} port=${port} user=${username} application_name=${standbyName}`;
  return startPostgres({
    dataFolder,
    logFile: path.join(folder, `${standbyName}.log`),
    port: await anyFreePort(),
    unsafeButFast: true,
    serverSettings: { primary_conninfo: source },
  });
};

export const startReplicatedPostgres = async (folder: string): Promise<ReplicatedPostgres> => {
  const primary = await startPrimary(folder);
  const standby = await startStandby(folder, primary);
  const relay = await startRelay(primary.urlOf('postgres'));
  return {
    urlOf: (database) => {
      const url = new URL(primary.urlOf(database));
      url.host = new URL(relay.url).host;
      return url.href;
    },
    killPrimary: async () => {
      process.kill(primary.process.pid, 'SIGKILL');
      await primary.process.ended;
      await relay.goAway();
    },
    leadToStandby: () => relay.comeBack(standby.urlOf('postgres')),
    promoteStandby: async () => {
      await askServer(standby, 'SELECT pg_promote() AS answer');
    },
    stop: async () => {
      await relay.close();
      await standby.stop();
      await primary.stop();
    },
  };
};
