/** Requests of an admin about one host (skip, retry, first, ignore): decided and written in one transaction. */
import { findingsOf, withoutMarks } from '../../rules/cloud/host-findings';
import {
  decideHostRequest,
  type HostRequest,
  type HostRequestDecision,
  type HostRequestRefusal,
  requestedHostOf,
} from '../../rules/requests/host-request';
import { requestedOf } from '../../rules/requests/session-request';
import { isCanaryAgain } from '../../rules/steering/canary';
import {
  type Database,
  databaseNow,
  inTransaction,
  lockSessionAndBeginnings,
  type Queryable,
  type Transaction,
} from '../database';
import { closeToAskAgain } from '../questions/close-questions';
import { changeSession, findSessionProgress } from '../session/session-progress';
import {
  changeHost,
  findSessionHost,
  findSessionHosts,
  type HostChange,
  type SessionHostRecord,
} from './session-hosts';

export type HostRequestOutcome =
  | { readonly kind: 'unknownSession' }
  | { readonly kind: 'unknownHost' }
  | ({ readonly kind: 'refused'; readonly begun: readonly string[] } & HostRequestRefusal)
  | { readonly kind: 'accepted'; readonly isChange: boolean; readonly host: SessionHostRecord; readonly state: string };

export interface RequestOfHost {
  readonly sessionId: string;
  readonly hostname: string;
  readonly request: HostRequest;
  /** For `ignore`: the marks of others that are on the host now, and what it is back without. */
  readonly marks?: readonly string[];
}

/** The reason that is shown of a host that an admin has skipped. */
const skippedByAdmin = 'skipped by the administrator';

/**
 * Records the request. Once a skip is committed, nothing begins on its host: every beginning looks at its row under a
 * lock that waits for this one.
 */
export const recordHostRequest = (db: Database, requested: RequestOfHost): Promise<HostRequestOutcome> =>
  inTransaction(db, async (tx): Promise<HostRequestOutcome> => {
    const { sessionId, request } = requested;
    await lockSessionAndBeginnings(tx, sessionId);
    const session = await tx.session.findFirst({ where: { id: sessionId, deletedAt: null } });
    if (session === null) return { kind: 'unknownSession' };
    const host = await findRequestedHost(tx, requested);
    if (host === null) return { kind: 'unknownHost' };
    const decision = decideHostRequest(request, requestedHostOf(host, requested.marks), requestedOf(session));
    if (decision.kind === 'refuse') return { ...decision, kind: 'refused', begun: await begunOn(tx, host) };
    if (decision.kind === 'change') await write(tx, { host, requested, decision });
    const now = await findSessionHost(tx, requested);
    return { kind: 'accepted', isChange: decision.kind === 'change', host: now ?? host, state: session.state };
  });

/** PostgreSQL takes no text with such a character. */
export const findRequestedHost = async (
  db: Queryable,
  requested: Pick<RequestOfHost, 'sessionId' | 'hostname'>,
): Promise<SessionHostRecord | null> => (requested.hostname.includes('\u0000') ? null : findSessionHost(db, requested));

interface Written {
  readonly host: SessionHostRecord;
  readonly requested: RequestOfHost;
  readonly decision: Extract<HostRequestDecision, { kind: 'change' }>;
}

const write = async (tx: Transaction, { host, requested, decision: { phase } }: Written): Promise<void> => {
  const inPhase = phase === undefined ? {} : { phase };
  switch (requested.request) {
    case 'skip':
      return skipHost(tx, host, { ...inPhase, skipReason: skippedByAdmin });
    case 'retry':
      return retryHost(tx, host, inPhase);
    case 'first':
      return changeHost(tx, host, { firstAt: await databaseNow(tx) });
    case 'ignore':
      return ignoreMarks(tx, host, requested.marks ?? []);
  }
};

/** What the last look found by these marks is no reason to wait any more. */
const ignoreMarks = async (tx: Transaction, host: SessionHostRecord, marks: readonly string[]): Promise<void> => {
  const ignoredMarks = [...new Set([...host.ignoredMarks, ...marks])];
  const { findings } = host;
  const left = findings && findingsOf({ ...findings, doubts: withoutMarks(findings.doubts, ignoredMarks) });
  await changeHost(tx, host, { ignoredMarks, findings: left });
};

/** Its maintenance begins anew. A canary host is a canary again, before all that wait, until others have begun. */
const retryHost = async (tx: Transaction, host: SessionHostRecord, inPhase: HostChange): Promise<void> => {
  const anew: HostChange = {
    announcedAt: null,
    failure: null,
    refusedBecause: null,
    skipReason: null,
    releases: 0,
    details: '',
  };
  await changeHost(tx, host, { ...inPhase, ...anew });
  const { sessionId, hostname } = host;
  const session = await findSessionProgress(tx, sessionId);
  const endedAtMs = session?.canaryEndedAt?.getTime();
  if (session === null || endedAtMs === undefined) return;
  const own = (await findSessionHosts(tx, sessionId)).map(({ hostname: name, drainStartedAt }) => ({
    name,
    ...(drainStartedAt !== null && { drainStartedAtMs: drainStartedAt.getTime() }),
  }));
  if (!isCanaryAgain(hostname, { canary: session.canary, endedAtMs, own })) return;
  await changeSession(tx, sessionId, { canaryEndedAt: null });
  await changeHost(tx, host, { firstAt: await databaseNow(tx) });
};

/** Skips in a transaction that holds the session's row. Moves that have begun end; nobody is asked any more. */
export const skipHost = async (
  tx: Transaction,
  { sessionId, hostname }: Pick<SessionHostRecord, 'sessionId' | 'hostname'>,
  change: HostChange & { readonly skipReason: string },
): Promise<void> => {
  await changeHost(tx, { sessionId, hostname }, { ...change, failure: null, details: change.skipReason });
  await closeToAskAgain(tx, { sessionId, hostname });
};

/** Says since when the host is in maintenance, and which plug-ins run on it. */
const begunOn = async (tx: Transaction, host: SessionHostRecord): Promise<string[]> => {
  if (host.announcedAt === null) return [];
  const running = await tx.actionPluginInstance.findMany({
    where: { sessionId: host.sessionId, hostname: host.hostname, status: 'running' },
    select: { plugin: true, type: true },
    orderBy: { position: 'asc' },
  });
  return [
    `in maintenance since ${host.announcedAt.toISOString()}`,
    ...running.map(({ plugin, type }) => `action plug-in ${plugin} (${type}) runs`),
  ];
};
