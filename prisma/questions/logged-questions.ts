/** Questions for the log, with the instance's name when it is known. */
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { Queryable } from '../database';
import { findInstanceNames } from '../hosts/session-instances';
import type { QuestionRow } from './question-rounds';

export interface LoggedQuestion {
  readonly sessionId: string;
  readonly projectId: string;
  readonly state: string;
  readonly host?: string;
  readonly instanceId?: string;
  readonly instanceName?: string;
  /** The number of instances in the question. */
  readonly instances: number;
  readonly replyAt: Date | null;
  /** The time when its event reached the bus. */
  readonly askedAt: Date | null;
}

/** @param nameOf gives the name of an instance; undefined: the session has not seen it */
export const describeQuestion = (
  { sessionId, projectId, state, hostname, instanceId, instanceIds, replyAt, askedAt }: QuestionRow,
  nameOf: (instanceKey: IdKey) => string | undefined,
): LoggedQuestion => {
  const instanceName = instanceId === null ? undefined : nameOf(keyOf(instanceId));
  return {
    sessionId,
    projectId,
    state,
    ...(hostname !== null && { host: hostname }),
    ...(instanceId !== null && { instanceId }),
    ...(instanceName !== undefined && { instanceName }),
    instances: Array.isArray(instanceIds) ? instanceIds.length : 0,
    replyAt,
    askedAt,
  };
};

/** The questions of one session. */
export const describeQuestions = async (db: Queryable, rows: readonly QuestionRow[]): Promise<LoggedQuestion[]> => {
  const names = await namesOf(db, rows);
  return rows.map((row) => describeQuestion(row, (key) => names.get(key)));
};

const namesOf = async (db: Queryable, rows: readonly QuestionRow[]): Promise<ReadonlyMap<IdKey, string>> => {
  const [first] = rows;
  if (first === undefined) return new Map();
  const instanceIds = rows.flatMap(({ instanceId }) => instanceId ?? []);
  const named = await findInstanceNames(db, { sessionId: first.sessionId, instanceIds });
  return new Map(named.map(({ instanceKey, instanceName }) => [instanceKey, instanceName]));
};
