/**
 * Skip, retry, first and ignore: the fact is written first and holds from then on; then the session and the host's
 * workflow are woken. When nobody hears that, they find the fact at their next look.
 */
import type { Logger } from 'pino';
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findRequestedHost, recordHostRequest, type RequestOfHost } from '../../prisma/hosts/host-requests';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { differencesFrom } from '../../rules/cloud/as-before';
import { marksAmong } from '../../rules/cloud/host-findings';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { hostNotInSession, hostNotSteered, sessionNotFound } from '../problems/problem-catalogue';
import { askCloud } from './ask-cloud';

export interface SteeredHost {
  readonly state: string;
  readonly host: SessionHostRecord;
  /** False: it was so already. */
  readonly isChange: boolean;
}

interface HostRequestDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly workflowCalls: WorkflowCalls;
  readonly logger: Logger;
}

/** @throws ApiError 404, or 422 with what has begun on the host */
export const requestOfHost = async (deps: HostRequestDeps, requested: RequestOfHost): Promise<SteeredHost> => {
  const { db, workflowCalls, logger } = deps;
  const { sessionId, hostname, request } = requested;
  const marks = request === 'ignore' ? [...(await marksOn(deps, hostname)), ...(await lacksOf(deps, requested))] : [];
  const outcome = await recordHostRequest(db, { ...requested, marks });
  if (outcome.kind === 'unknownSession') throw sessionNotFound(sessionId);
  if (outcome.kind === 'unknownHost') throw hostNotInSession(hostname, sessionId);
  if (outcome.kind === 'refused') throw hostNotSteered(requested, outcome);
  const { isChange, host, state } = outcome;
  if (isChange) {
    const told = { sessionId, host: hostname, phase: host.phase, ...(marks.length > 0 && { marks }) };
    logger.info(told, `${request} of a host requested`);
  }
  // A repeated request wakes them again: the first wake-up may have been lost.
  await Promise.all([workflowCalls.wakeHost(sessionId, hostname), workflowCalls.wakeSession(sessionId)]);
  return { state, host, isChange };
};

/** The names of the marks by which others say that they are at work on the host. */
const marksOn = async ({ cloud }: HostRequestDeps, hostname: string): Promise<readonly string[]> =>
  marksAmong((await askCloud(cloud, (asked) => asked.whatIsOn(hostname))).doubts);

/** The names of what differs from before on a host that is enabled again, and is not back for that. */
const lacksOf = async ({ db, cloud }: HostRequestDeps, requested: RequestOfHost): Promise<readonly string[]> => {
  const host = await findRequestedHost(db, requested);
  if (host?.phase !== 'maintaining' || host.enablingAt === null) return [];
  const now = await askCloud(cloud, (asked) => asked.findHost(host.hostname));
  return now === undefined ? [] : differencesFrom(host.offeredBefore, now).map(({ name }) => name);
};
