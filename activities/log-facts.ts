/**
 * The log of a session: one line for each recorded fact. The code that changes the row logs the line once its
 * transaction is committed. So an activity that runs twice logs it once. When a process dies in between, the line is
 * lost and the fact is not.
 */
import { afterCommit, type Transaction } from '../prisma/database';
import type { HostRef } from '../prisma/hosts/session-hosts';
import type { ClaimRecord } from '../prisma/moves/claims';
import type { Services } from './services';

export interface LoggedFact {
  /** Always the same words for the same kind of fact. Names and times are fields. */
  readonly what: string;
  readonly level?: 'info' | 'warn' | 'error';
  readonly sessionId: string;
  readonly host?: string;
  readonly instanceId?: string;
  readonly instanceName?: string;
  readonly projectId?: string;
  readonly reason?: string | null | undefined;
  /** The duration of the thing that ends. Left out when nobody knows when it began. */
  readonly tookSeconds?: number | undefined;
  readonly [field: string]: unknown;
}

export const logFact = (
  { logger }: Pick<Services, 'logger'>,
  tx: Transaction,
  { what, level = 'info', ...fields }: LoggedFact,
): void => afterCommit(tx, () => logger[level](withoutEmpty(fields), what));

const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Undefined when the beginning is not known. */
export const secondsBetween = (from: Date | null | undefined, to: Date): number | undefined =>
  from ? Math.round((to.getTime() - from.getTime()) / 100) / 10 : undefined;

/** The names in every line about a move. */
export const namesOfMove = (claim: ClaimRecord) => ({
  sessionId: claim.sessionId,
  host: claim.source,
  instanceId: claim.instanceId,
  instanceName: claim.instanceName,
  projectId: claim.projectId,
  action: claim.action,
  target: claim.target,
});

/** The names in every line about a host. */
export const namesOfHost = ({ sessionId, hostname }: HostRef) => ({ sessionId, host: hostname });
