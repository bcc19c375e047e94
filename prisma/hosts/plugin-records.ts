/**
 * Runs of action plug-ins: one record for each host (or once for `pre` and `post`) and position in the session's list.
 */
import { Prisma } from '@prisma/client';
import { databaseNow, type Queryable } from '../database';

export interface PluginRef {
  readonly sessionId: string;
  /** Empty for `pre` and `post`. */
  readonly hostname: string;
  /** Index in the session's list of actions. */
  readonly position: number;
}

const key = ({ sessionId, hostname, position }: PluginRef) => ({
  sessionId_hostname_position: { sessionId, hostname, position },
});

export const findFinishedPlugins = async (
  db: Queryable,
  { sessionId, hostname }: Omit<PluginRef, 'position'>,
): Promise<ReadonlySet<number>> => {
  const rows = await db.actionPluginInstance.findMany({ where: { sessionId, hostname, status: 'done' } });
  return new Set(rows.map(({ position }) => position));
};

/** A run has failed, and has kept what may go on outside of the worker. */
export const mayGoOnElsewhere = async (db: Queryable, ref: PluginRef): Promise<boolean> => {
  const row = await db.actionPluginInstance.findUnique({ where: key(ref), select: { status: true, kept: true } });
  return row?.status === 'failed' && row.kept !== null;
};

/** The plug-in was started, and has no recorded end. */
export const isPluginRunning = async (db: Queryable, ref: PluginRef): Promise<boolean> =>
  (await db.actionPluginInstance.findUnique({ where: key(ref) }))?.status === 'running';

export interface PluginStart {
  /** The plug-in finished in an earlier run: it does not run again. */
  readonly done: boolean;
  /** The number of starts, including this one. */
  readonly attempts: number;
  /** The value that the run before has kept; undefined: it kept none, or the plug-in has failed since. */
  readonly kept?: unknown;
}

export const recordPluginStart = async (
  tx: Queryable,
  ref: PluginRef,
  action: { readonly plugin: string; readonly type: string },
): Promise<PluginStart> => {
  const known = await tx.actionPluginInstance.findUnique({ where: key(ref) });
  if (known?.status === 'done') return { done: true, attempts: known.attempts };
  const { plugin, type } = action;
  const anew = known?.status === 'failed' ? { kept: Prisma.DbNull } : {};
  const row = await tx.actionPluginInstance.upsert({
    where: key(ref),
    create: { ...ref, plugin, type, attempts: 1 },
    update: { status: 'running', attempts: { increment: 1 }, updatedAt: await databaseNow(tx), ...anew },
  });
  return { done: false, attempts: row.attempts, kept: row.kept ?? undefined };
};

export interface PluginEnd {
  readonly status: 'done' | 'failed';
  readonly state: string | null;
}

export const recordPluginEnd = async (tx: Queryable, ref: PluginRef, end: PluginEnd): Promise<void> => {
  // A run that has failed leaves its value, by which its host is cleared (activities/hosts/clear-host.ts).
  const over = end.status === 'done' ? { kept: Prisma.DbNull } : {};
  await tx.actionPluginInstance.update({
    where: key(ref),
    data: { ...end, ...over, updatedAt: await databaseNow(tx) },
  });
};

/** @param value as JSON */
export const keepForRun = async (tx: Queryable, ref: PluginRef, value: object): Promise<void> => {
  await tx.actionPluginInstance.update({ where: key(ref), data: { kept: { ...value } } });
};

/** The values that runs on the host have kept, by the position of their actions. */
export const findKept = async (
  db: Queryable,
  { sessionId, hostname }: Omit<PluginRef, 'position'>,
): Promise<ReadonlyMap<number, unknown>> => {
  const rows = await db.actionPluginInstance.findMany({
    where: { sessionId, hostname, NOT: { kept: { equals: Prisma.DbNull } } },
    select: { position: true, kept: true },
  });
  return new Map(rows.map(({ position, kept }) => [position, kept]));
};
