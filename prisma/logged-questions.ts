/** Questions as the log names them: the instance by its name, where one is known. */
import type { Queryable } from './database';

type Row = Awaited<ReturnType<Queryable['question']['findMany']>>[number];

export interface LoggedQuestion {
  readonly sessionId: string;
  readonly projectId: string;
  readonly state: string;
  readonly host?: string;
  readonly instanceId?: string;
  readonly instanceName?: string;
  /** How many instances it is about. */
  readonly instances: number;
  readonly replyAt: Date | null;
  /** When its event reached the bus. */
  readonly askedAt: Date | null;
}

/** Of one session. */
export const describeQuestions = async (db: Queryable, rows: readonly Row[]): Promise<LoggedQuestion[]> => {
  const names = await namesOf(db, rows);
  return rows.map(({ sessionId, projectId, state, hostname, instanceId, instanceIds, replyAt, askedAt }) => {
    const instanceName = instanceId === null ? undefined : names.get(instanceId);
    return {
      ...{ sessionId, projectId, state },
      ...(hostname !== null && { host: hostname }),
      ...(instanceId !== null && { instanceId }),
      ...(instanceName !== undefined && { instanceName }),
      instances: Array.isArray(instanceIds) ? instanceIds.length : 0,
      ...{ replyAt, askedAt },
    };
  });
};

const namesOf = async (db: Queryable, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> => {
  const [first] = rows;
  const ids = rows.flatMap(({ instanceId }) => instanceId ?? []);
  if (first === undefined || ids.length === 0) return new Map();
  const where = { sessionId: first.sessionId, instanceId: { in: ids } };
  const named = await db.sessionInstance.findMany({ where, select: { instanceId: true, instanceName: true } });
  return new Map(named.map(({ instanceId, instanceName }) => [instanceId, instanceName]));
};
