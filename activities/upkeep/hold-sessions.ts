/**
 * Holds all sessions after a restore: nothing continues by itself. Every unfinished session fails, the records of its
 * hosts follow the cloud, and each recorded move is compared with the cloud. An admin then continues each session, or
 * deletes it. No worker runs meanwhile. A repeat changes nothing, so the process may be killed.
 */
import { databaseNow, inTransaction, lockSession, type Transaction } from '../../prisma/database';
import { changeHost, findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findInstancesUnderAction } from '../../prisma/moves/claims';
import { changeSession, findKnownSessions, findSessionProgress } from '../../prisma/session/session-progress';
import { findSessionsToSweep, findSessionsWithOrphanedClaims } from '../../prisma/upkeep/swept-sessions';
import type { CloudHost, CloudInstance } from '../../rules/cloud/cloud-facts';
import { keyOf } from '../../rules/cloud/id';
import { endWorkflows } from '../../temporal/end-workflows';
import { cleanupWorkflowId, hostWorkflowId, sessionWorkflowId } from '../../temporal/workflow-messages';
import { isDisabledFor, sessionThatDisabled } from '../hosts/host-switch';
import { reconcile, type Reconciling } from '../moves/reconcile';
import { withdrawQuestions } from '../questions/end-questions';
import { recordFailure } from '../session/record-failure';
import { afterRestore } from './after-restore';

export interface HeldSessions {
  readonly endedWorkflows: number;
  /** Sessions that have failed now, and wait for an admin. */
  readonly sessionIds: readonly string[];
  /** Hosts that are disabled in the name of a session without a record: only a person knows what was done to them. */
  readonly strangeHosts: readonly CloudHost[];
  /** Instances that are moving in the cloud by no recorded move: nothing may begin until they have arrived. */
  readonly strangeMoves: readonly CloudInstance[];
}

const why =
  'held after a restore: PostgreSQL or Temporal was restored from a backup; PUT goes on once the hosts have been seen to';

export const holdSessions = async (services: Reconciling): Promise<HeldSessions> => {
  const { db, client, cloud } = services;
  const sessionIds = await findUnfinished(services);
  const endedWorkflows = await endWorkflows(client, await workflowsOf(services, sessionIds), why);
  const hosts = await cloud.listHosts();
  for (const sessionId of sessionIds) await inTransaction(db, (tx) => hold(services, tx, { sessionId, hosts }));
  for (const sessionId of await findSessionsWithOrphanedClaims(db)) await reconcile(services, sessionId);
  return {
    endedWorkflows,
    sessionIds,
    strangeHosts: await findStrangeHosts(services, hosts),
    strangeMoves: await findStrangeMoves(services),
  };
};

const findUnfinished = async ({ db }: Reconciling): Promise<string[]> =>
  (await findSessionsToSweep(db))
    .filter(({ deletedAt, state, deleteRequestedAt }) => deletedAt === null && !(isDone(state) && !deleteRequestedAt))
    .map(({ id }) => id);

const isDone = (state: string): boolean => state === 'MAINTENANCE_DONE';

/** Temporal's list may be older than the record, or incomplete. */
const workflowsOf = async ({ db }: Reconciling, sessionIds: readonly string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const sessionId of sessionIds) {
    ids.push(sessionWorkflowId(sessionId), cleanupWorkflowId(sessionId));
    const hosts = await findSessionHosts(db, sessionId);
    ids.push(...hosts.map(({ hostname }) => hostWorkflowId(sessionId, hostname)));
  }
  return ids;
};

interface Holding {
  readonly sessionId: string;
  readonly hosts: readonly CloudHost[];
}

const hold = async (services: Reconciling, tx: Transaction, { sessionId, hosts }: Holding): Promise<void> => {
  await lockSession(tx, sessionId);
  const session = await findSessionProgress(tx, sessionId);
  if (session === null || isDone(session.state)) return;
  await withdrawQuestions(services, tx, { sessionId });
  for (const record of await findSessionHosts(tx, sessionId)) {
    const listed = hosts.find(({ name }) => name === record.hostname);
    await holdHost(tx, record, listed);
  }
  const isOver =
    session.state === 'MAINTENANCE_FAILED' && session.stopping === null && session.continueRequestId === null;
  if (isOver) return;
  await changeSession(tx, sessionId, { pausedAt: null, pausedBecause: null });
  await recordFailure(services, tx, { session, reason: why });
};

const holdHost = async (tx: Transaction, record: SessionHostRecord, listed: CloudHost | undefined): Promise<void> => {
  const now = listed && { enabled: listed.enabled, isOurs: isDisabledFor(listed, record.sessionId) };
  const change = afterRestore(record, now);
  const disabledAt = change.disabled ? (record.disabledAt ?? (await databaseNow(tx))) : null;
  await changeHost(tx, record, { ...change, disabledAt, enablingAt: null });
};

const findStrangeHosts = async ({ db }: Reconciling, hosts: readonly CloudHost[]): Promise<CloudHost[]> => {
  const known = await findKnownSessions(
    db,
    hosts.flatMap((host) => sessionThatDisabled(host) ?? []),
  );
  return hosts.filter((host) => {
    const sessionId = sessionThatDisabled(host);
    return sessionId !== undefined && !known.has(sessionId);
  });
};

const findStrangeMoves = async ({ db, cloud }: Reconciling): Promise<CloudInstance[]> => {
  const moving = await cloud.listMoving();
  const known = await findInstancesUnderAction(db);
  return moving.filter(({ instanceId }) => !known.has(keyOf(instanceId)));
};
