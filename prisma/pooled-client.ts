/**
 * Connections that keep no state in the server from one transaction to the next. So a pooler that gives each
 * transaction another connection of the server may stand between, as PgBouncer in transaction mode does: it refuses
 * most parameters of a connection, and a lock or a setting of a session would stay with somebody else
 * (docs/design/facts.md).
 */
import type { ClientBase, PoolClient } from 'pg';

/**
 * The driver writes times without their zone and ignores the zone when it reads them. So the zone of every connection
 * is UTC, whatever the server, the database or the role has. The zone is one of the few parameters that poolers keep
 * for each of their clients.
 */
export const startInUtc = (client: ClientBase): void => {
  const usual = client.getStartupConf.bind(client);
  client.getStartupConf = () => ({ ...usual(), TimeZone: 'UTC' });
};

/** The statement by which Prisma's adapter begins a transaction. */
const begin = 'BEGIN';

/** Whether a call of `query` begins a transaction. */
const isBegin = (config: unknown): config is { readonly text: string } =>
  typeof config === 'object' && config !== null && 'text' in config && config.text === begin;

/**
 * Bounds each transaction within the message that begins it: a wait for a lock ends, and a transaction whose process
 * stands still ends with its locks.
 */
export const boundTransactions = (client: ClientBase, milliseconds: number): void => {
  const names = ['lock_timeout', 'idle_in_transaction_session_timeout'];
  const limits = names.map((name) => `SET LOCAL ${name} = ${String(milliseconds)}`);
  const text = [begin, ...limits].join('; ');
  // The proxy calls it with the client.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  client.query = new Proxy(client.query, {
    apply(query, self, [config, ...others]: unknown[]): unknown {
      // Several statements in one message have no name.
      const given = isBegin(config) ? { ...config, text, name: undefined } : config;
      return Reflect.apply(query, self, [given, ...others]);
    },
  });
};

export interface PoolerWatch {
  /** Asks a new connection of the pool, until it is known whether a pooler stands between. */
  readonly verify: (client: PoolClient, done: (error?: Error) => void) => void;
  /**
   * Whether a statement may have a name, by which the server plans it once for each connection. Behind a pooler the
   * next transaction may have another connection of the server, where nobody has prepared that name.
   */
  readonly mayNameStatements: () => boolean;
}

export const watchForPooler = (): PoolerWatch => {
  let isPooled: boolean | undefined;
  const ask = async (client: PoolClient): Promise<void> => {
    if (isPooled !== undefined) return;
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    isPooled = rows[0]?.pid !== client.processID;
  };
  return {
    verify: (client, done) => void ask(client).then(() => done(), done),
    mayNameStatements: () => isPooled === false,
  };
};
