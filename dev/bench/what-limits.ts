/** Finds the limit of a load from the numbers that were measured beside it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../prisma/database';
import type { Cores } from './measured-stack';

export interface Measured {
  /** The number of processors that each process used. */
  readonly cores: Cores;
  /** The machine's processors, and the share of them that was busy. */
  readonly machine: { readonly processors: number; readonly busyShare: number };
  /**
   * The waits of PostgreSQL's active connections, each as a share of all looks at a connection; most frequent first.
   */
  readonly waits: readonly { readonly what: string; readonly share: number }[];
}

/** The share from which something counts as used up: the rest goes to switching and to the pauses of a measurement. */
const usedUp = 0.9;

/** The two that used most; `others` is everything else that ran on the machine. */
const largestOf = ({ cores, machine }: Measured): string => {
  const ofStack = Object.values(cores).reduce((total, used) => total + used, 0);
  const others = Math.max(0, machine.processors * machine.busyShare - ofStack);
  return Object.entries({ ...cores, others })
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 2)
    .map(([name, used]) => `${name} ${used.toFixed(2)}`)
    .join(', ');
};

/** The most frequent wait of PostgreSQL's active connections. */
export const mostSeen = ({ waits: [most] }: Pick<Measured, 'waits'>): string =>
  most === undefined ? 'idle' : `${most.what} in ${(most.share * 100).toFixed(0)} % of the looks`;

/** Node.js runs the API's code on one thread, so it can only use one processor. */
export const whatLimits = (measured: Measured): string => {
  const { cores, machine, waits } = measured;
  if (cores.api >= usedUp) return `the api process: ${cores.api.toFixed(2)} of the one core its thread can use`;
  if (machine.busyShare >= usedUp) {
    const busy = (machine.busyShare * 100).toFixed(0);
    return `the machine: ${busy} % of ${machine.processors} cores busy (${largestOf(measured)})`;
  }
  if (waits.length === 0) return 'the callers: nothing is used up, and PostgreSQL was idle at every look';
  return `the time of each step: nothing is used up; PostgreSQL's active connections: ${mostSeen(measured)}`;
};

const betweenLooksMs = 100;

/** Looks at PostgreSQL's active connections until it is stopped. */
export const watchWaits = (db: Database): (() => Promise<Measured['waits']>) => {
  const seen = new Map<string, number>();
  let watching = true;
  const watch = async (): Promise<void> => {
    while (watching) {
      const rows = await db.$queryRaw<{ what: string }[]>`
        SELECT coalesce(wait_event_type || ' ' || wait_event, 'computing') AS what FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND state = 'active' AND pid <> pg_backend_pid()`;
      for (const { what } of rows) seen.set(what, (seen.get(what) ?? 0) + 1);
      await sleep(betweenLooksMs);
    }
  };
  const watched = watch();
  watched.catch(() => undefined); // thrown where it is awaited
  return async () => {
    watching = false;
    await watched;
    const all = [...seen.values()].reduce((total, count) => total + count, 0);
    return [...seen]
      .map(([what, count]) => ({ what, share: count / all }))
      .toSorted((one, other) => other.share - one.share);
  };
};
