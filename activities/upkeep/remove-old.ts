/**
 * The sweeper's part for retention: removes what is older than the settings say, in small steps. Nothing of a session
 * that is not deleted is removed, except events that were published long ago.
 */
import { removeOldAuditEntries } from '../../prisma/audit/audit-entries';
import { removeOldChanges } from '../../prisma/constraints/constraint-changes';
import { findLongGone, noteFound, noteMissing, removeGoneConstraints } from '../../prisma/constraints/gone-constraints';
import { inTransaction } from '../../prisma/database';
import { forgetOldTimes } from '../../prisma/times/project-times';
import { forgetDeletedSessions } from '../../prisma/upkeep/forgotten-sessions';
import { removeOldEvents } from '../../prisma/upkeep/old-events';
import { passOn } from '../constraints/pass-on';
import type { Services } from '../services';

type Removing = Pick<Services, 'db' | 'cloud' | 'logger'> & {
  readonly limits: Pick<Services['limits'], 'auditDays' | 'eventDays' | 'deletedSessionDays' | 'goneConstraintDays'>;
};

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Each costs the cloud a request of its own. */
const mostGoneAtOnce = 50;

/** Does the work at most once in this time, and again when it failed. @returns 0 when it is not due */
const nowAndThen = (everyMs: number, work: () => Promise<number>): (() => Promise<number>) => {
  let doneAtMs = -Infinity;
  return async () => {
    if (performance.now() - doneAtMs < everyMs) return 0;
    const beganMs = performance.now();
    const removed = await work();
    doneAtMs = beganMs;
    return removed;
  };
};

/** @returns the part as a function that looks at the whole cloud only now and then, since it is called often */
export const createRemovalOfOld = (services: Removing): (() => Promise<void>) => {
  const { db, limits, logger } = services;
  const rarelyMs = Math.min(hourMs, (limits.goneConstraintDays * dayMs) / 10);
  const removeGoneNowAndThen = nowAndThen(rarelyMs, () => removeGone(services));
  const forgetTimesNowAndThen = nowAndThen(rarelyMs, () => inTransaction(db, forgetOldTimes));
  return async () => {
    // Each for itself: a cloud that is away keeps no table from being tidied.
    const parts = await Promise.allSettled([
      removeOldAuditEntries(db, limits.auditDays),
      removeOldEvents(db, limits.eventDays),
      forgetDeletedSessions(db, limits.deletedSessionDays),
      removeGoneNowAndThen(),
      forgetTimesNowAndThen(),
      removeOldChanges(db),
    ]);
    const [auditEntries = 0, events = 0, sessions = 0, constraints = 0, times = 0] = parts.map((part) =>
      part.status === 'fulfilled' ? part.value : 0,
    );
    const total = { auditEntries, events, sessions, constraints, times };
    if (Object.values(total).some((count) => count > 0)) logger.info(total, 'removed old records');
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  };
};

/** A list may leave out what the cloud knows, so each instance is looked for once more. */
const removeGone = async ({ db, cloud, limits, logger }: Removing): Promise<number> => {
  const [instances, groups] = await Promise.all([cloud.listInstances(), cloud.listGroups()]);
  // Else those of an instance that is made again between two sessions would be removed in the end.
  await passOn({ db, logger }, instances);
  await noteMissing(db, {
    instanceIds: instances.map(({ instanceId }) => instanceId),
    groupIds: groups.map(({ groupId }) => groupId),
  });
  const days = limits.goneConstraintDays;
  const gone: string[] = [];
  for (const instanceId of await findLongGone(db, { days, limit: mostGoneAtOnce })) {
    if ((await cloud.findInstance(instanceId)) === undefined) gone.push(instanceId);
    else await noteFound(db, [instanceId]);
  }
  return removeGoneConstraints(db, { instanceIds: gone, days });
};
