/**
 * What a session's log tells: one line for each fact that was recorded, written once the transaction that records it is
 * committed, by whoever has changed the row. So an activity that runs twice tells it once; where a process dies in
 * between, the line is lost and the fact is not.
 */
import { afterCommit, type Transaction } from '../prisma/database';
import type { HostRef } from '../prisma/hosts/session-hosts';
import type { ClaimRecord } from '../prisma/moves/claims';
import type { Services } from './services';

export interface LoggedFact {
  /** Always the same words for the same kind of fact; names and times are fields. */
  readonly what: string;
  readonly level?: 'info' | 'warn' | 'error';
  readonly sessionId: string;
  readonly host?: string;
  readonly instanceId?: string;
  readonly instanceName?: string;
  readonly projectId?: string;
  readonly reason?: string | null | undefined;
  /** How long the thing that ends has taken; left out where nobody knows when it began. */
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

/** Undefined where the beginning is not known. */
export const secondsBetween = (from: Date | null | undefined, to: Date): number | undefined =>
  from ? Math.round((to.getTime() - from.getTime()) / 100) / 10 : undefined;

/** The names that every line about a move has. */
export const namesOfMove = ({
  sessionId,
  source,
  instanceId,
  instanceName,
  projectId,
  action,
  target,
}: ClaimRecord) => ({
  sessionId,
  host: source,
  instanceId,
  instanceName,
  projectId,
  action,
  target,
});

/** The names that every line about a host has. */
export const namesOfHost = ({ sessionId, hostname }: HostRef) => ({ sessionId, host: hostname });
