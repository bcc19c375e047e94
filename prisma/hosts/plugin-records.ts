/**
 * Runs of action plug-ins: one record for each host (or once for `pre` and `post`) and position in the session's list.
 */
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

/** The plug-in was started, and has no recorded end. */
export const isPluginRunning = async (db: Queryable, ref: PluginRef): Promise<boolean> =>
  (await db.actionPluginInstance.findUnique({ where: key(ref) }))?.status === 'running';

export interface PluginStart {
  /** The plug-in finished in an earlier run: it does not run again. */
  readonly done: boolean;
  /** The number of starts, including this one. */
  readonly attempts: number;
}

export const recordPluginStart = async (
  tx: Queryable,
  ref: PluginRef,
  action: { readonly plugin: string; readonly type: string },
): Promise<PluginStart> => {
  const known = await tx.actionPluginInstance.findUnique({ where: key(ref) });
  if (known?.status === 'done') return { done: true, attempts: known.attempts };
  const { plugin, type } = action;
  const row = await tx.actionPluginInstance.upsert({
    where: key(ref),
    create: { ...ref, plugin, type, attempts: 1 },
    update: { status: 'running', attempts: { increment: 1 }, updatedAt: await databaseNow(tx) },
  });
  return { done: false, attempts: row.attempts };
};

export interface PluginEnd {
  readonly status: 'done' | 'failed';
  readonly state: string | null;
}

export const recordPluginEnd = async (tx: Queryable, ref: PluginRef, end: PluginEnd): Promise<void> => {
  await tx.actionPluginInstance.update({ where: key(ref), data: { ...end, updatedAt: await databaseNow(tx) } });
};
