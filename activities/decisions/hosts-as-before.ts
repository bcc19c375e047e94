/**
 * The hosts of a session, which a decision reads without a lock and compares with their rows before it is written: an
 * admin may have skipped one meanwhile, or one may have failed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';

/** The columns that a decision rests on. */
const decidedOn = [
  'phase',
  'disabled',
  'disabledBefore',
  'enablingAt',
  'enabledAt',
  'announcedAt',
  'maintained',
  'releases',
  'failure',
  'refusedBecause',
  'keptDisabledBy',
  'skipReason',
  'firstAt',
  'findings',
] as const satisfies readonly (keyof SessionHostRecord)[];

/** @param own the rows of the session's hosts now */
export const areHostsAsBefore = (own: readonly SessionHostRecord[], before: readonly SessionHostRecord[]): boolean => {
  const known = new Map(before.map((host) => [keyOf(host), host]));
  return own.every((host) => {
    const was = known.get(keyOf(host));
    return was !== undefined && decidedOn.every((column) => isDeepStrictEqual(host[column], was[column]));
  });
};

/** The hosts of all sessions, with the rows of one session as they are now: whether a worker attends them, too. */
export const withHostsNow = (
  before: readonly SessionHostRecord[],
  own: readonly SessionHostRecord[],
): readonly SessionHostRecord[] => {
  const now = new Map(own.map((host) => [keyOf(host), host]));
  return before.map((host) => now.get(keyOf(host)) ?? host);
};

const keyOf = ({ sessionId, hostname }: SessionHostRecord): string => `${sessionId}/${hostname}`;
