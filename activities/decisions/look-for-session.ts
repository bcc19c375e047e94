/**
 * Looks at the cloud for a decision about a session. Where the cloud does not list what is there for want of a right,
 * there is no decision that could tell it: the session says so at once, and the look is tried again.
 */
import { databaseNow } from '../../prisma/database';
import { findSessionHosts } from '../../prisma/hosts/session-hosts';
import { noteReasons } from '../../prisma/session/noted-reasons';
import type { MissingRight } from '../../rules/cloud/cloud-facts';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { rightReason } from '../../rules/steering/held-by-cloud';
import { type CloudSnapshot, lookAtCloud } from '../../snapshot/look-at-cloud';
import { passOn } from '../constraints/pass-on';
import type { Reconciling } from '../moves/reconcile';
import type { StateRef } from '../questions/state-ref';
import type { Services } from '../services';
import { inSession } from '../session/run-in-force';

/** @throws what the cloud throws */
export const lookForSession = async (
  services: Services,
  ref: StateRef,
  listing?: 'listHosts' | 'listHostsLately',
): Promise<CloudSnapshot> => {
  try {
    const snapshot = await lookAtCloud(services, listing);
    tellFaults(services, snapshot);
    await passOn(services, snapshot.instances);
    return snapshot;
  } catch (error) {
    const right = await findStopping(services);
    if (right !== undefined) await tellMissing(services, ref, right);
    throw error;
  }
};

/** Limits that a project told the cloud in a way that nobody can read: its operator finds them in the log. */
const tellFaults = (
  { logger, toldFaults }: Pick<Services, 'logger' | 'toldFaults'>,
  { groups }: CloudSnapshot,
): void => {
  for (const { fault, groupId, projectId } of groups) {
    if (fault === undefined || toldFaults.find(fault)) continue;
    toldFaults.keep(fault, true);
    logger.warn({ what: 'constraints not readable', projectId, groupId, reason: fault }, 'constraints not readable');
  }
};

/** Undefined also where the cloud does not answer at all. */
const findStopping = async ({ cloud }: Pick<Services, 'cloud'>): Promise<MissingRight | undefined> => {
  const rights = await cloud.missingRights().catch((): readonly MissingRight[] => []);
  return rights.find(({ severity }) => severity === 'stops');
};

const tellMissing = (services: Reconciling, ref: StateRef, right: MissingRight): Promise<void> =>
  inSession(services, ref, async (tx) => {
    const hosts = (await findSessionHosts(tx, ref.sessionId)).filter((host) => !isDone(host));
    const waiting = hosts.map(({ hostname }) => rightReason({ name: hostname }, right));
    await noteReasons(tx, { sessionId: ref.sessionId, now: await databaseNow(tx) }, waiting);
  });
