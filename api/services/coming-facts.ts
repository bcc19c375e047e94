/** The facts of rules/coming/coming.ts about one project in one session. */
import type { ComingRecords } from '../../prisma/session/project-coming';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { ComingFacts } from '../../rules/coming/coming';
import type { Foretold } from '../../rules/coming/foretold';
import { notBeforeLatest } from '../../rules/owner-times/postpone';
import type { OwnerTimes } from '../../rules/owner-times/release';
import { mayEnd } from '../summary/progress';

export interface ProjectInTime {
  readonly session: SessionProgress;
  readonly records: ComingRecords;
  readonly now: Date;
  /** By the keys of the instances. */
  readonly ownerTimes: ReadonlyMap<IdKey, OwnerTimes>;
  /** Left out: no plan is known. */
  readonly foretold?: Foretold;
}

export const comingFacts = ({ session, records, now, ownerTimes, foretold }: ProjectInTime): ComingFacts => {
  const ending = endingOf(session);
  const latestAt = notBeforeLatest(session.postpone, records.firstAskedAt);
  return {
    ...{ instances: records.instances, claims: records.claims, questions: records.questions },
    nowMs: now.getTime(),
    projectKey: keyOf(records.projectId),
    ownerTimes,
    ...(ending && { ending }),
    ...(foretold && mayEnd(session) && { foretold }),
    ...(latestAt && { notBeforeLatestMs: latestAt.getTime() }),
  };
};

const endingOf = ({ state, stopping, abortRequestedAt, deleteRequestedAt }: SessionProgress): ComingFacts['ending'] => {
  if (abortRequestedAt !== null || deleteRequestedAt !== null) return 'canceled';
  return state === 'MAINTENANCE_FAILED' || stopping === 'failing' ? 'failed' : undefined;
};
