/**
 * The sweeper's part for retention: removes what is older than the settings say, in small steps. Nothing of a session
 * that is not deleted is removed, except events that were published long ago.
 */
import { removeOldAuditEntries } from '../../prisma/audit/audit-entries';
import { removeOldChanges } from '../../prisma/constraints/constraint-changes';
import { findLongGone, noteFound, noteMissing, removeGoneConstraints } from '../../prisma/constraints/gone-constraints';
import { forgetDeletedSessions } from '../../prisma/upkeep/forgotten-sessions';
import { removeOldEvents } from '../../prisma/upkeep/old-events';
import type { Services } from '../services';

type Removing = Pick<Services, 'db' | 'cloud' | 'logger'> & {
  readonly limits: Pick<Services['limits'], 'auditDays' | 'eventDays' | 'deletedSessionDays' | 'goneConstraintDays'>;
};

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Each costs the cloud a request of its own. */
const mostGoneAtOnce = 50;

/** @returns the part as a function that looks at the whole cloud only now and then, since it is called often */
export const createRemovalOfOld = (services: Removing): (() => Promise<void>) => {
  const { db, limits, logger } = services;
  const lookMs = Math.min(hourMs, (limits.goneConstraintDays * dayMs) / 10);
  let lookedAtMs = -Infinity;
  return async () => {
    const removed = {
      auditEntries: await removeOldAuditEntries(db, limits.auditDays),
      events: await removeOldEvents(db, limits.eventDays),
      sessions: await forgetDeletedSessions(db, limits.deletedSessionDays),
    };
    await removeOldChanges(db);
    const isDue = performance.now() - lookedAtMs >= lookMs;
    if (isDue) lookedAtMs = performance.now();
    const constraints = isDue ? await removeGone(services) : 0;
    const total = { ...removed, constraints };
    if (Object.values(total).some((count) => count > 0)) logger.info(total, 'removed old records');
  };
};

/** A list may leave out what the cloud knows, so each instance is looked for once more. */
const removeGone = async ({ db, cloud, limits }: Removing): Promise<number> => {
  const [instances, groups] = await Promise.all([cloud.listInstances(), cloud.listGroups()]);
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
