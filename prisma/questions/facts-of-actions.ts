/** The recorded facts about the actions by which instances leave the hosts of sessions. */
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { Question } from '../../rules/questions/question';
import type { Queryable } from '../database';
import { toQuestion } from './question-rounds';

/** An instance on a host of a session. */
export interface LeavingInstance {
  readonly sessionId: string;
  readonly hostname: string;
  readonly instanceId: string;
}

export interface SettledActions {
  /** The questions that sessions asked about draining their hosts, by `keyOfHost`. */
  readonly questionsAbout: ReadonlyMap<string, readonly Question[]>;
  /** Instances, by `keyOfLeaving`, whose project did not carry out an own action there in time. */
  readonly expired: ReadonlySet<string>;
}

export const keyOfHost = ({ sessionId, hostname }: Omit<LeavingInstance, 'instanceId'>): string =>
  `${sessionId}/${hostname}`;
export const keyOfLeaving = (leaving: LeavingInstance): string => `${keyOfHost(leaving)}/${keyOf(leaving.instanceId)}`;

export const findSettledActions = async (
  db: Queryable,
  leaving: readonly LeavingInstance[],
): Promise<SettledActions> => {
  if (leaving.length === 0) return { questionsAbout: new Map(), expired: new Set() };
  const hosts = [...new Map(leaving.map((one) => [keyOfHost(one), one])).values()];
  const keys: IdKey[] = leaving.map(({ instanceId }) => keyOf(instanceId));
  const rows = await db.question.findMany({
    where: {
      OR: hosts.map(({ sessionId, hostname }) => ({ sessionId, hostname })),
      AND: { OR: [{ instanceId: null }, { instanceKey: { in: keys } }] },
      status: { not: 'open' },
    },
    orderBy: { createdAt: 'asc' },
  });
  const questionsAbout = new Map<string, Question[]>();
  for (const row of rows) {
    const key = keyOfHost({ sessionId: row.sessionId, hostname: row.hostname ?? '' });
    questionsAbout.set(key, [...(questionsAbout.get(key) ?? []), toQuestion(row)]);
  }
  const claims = await db.claim.findMany({
    where: {
      sessionId: { in: hosts.map(({ sessionId }) => sessionId) },
      instanceKey: { in: keys },
      outcome: 'expired',
    },
    select: { sessionId: true, source: true, instanceId: true },
  });
  return {
    questionsAbout,
    expired: new Set(claims.map(({ source: hostname, ...claim }) => keyOfLeaving({ ...claim, hostname }))),
  };
};
