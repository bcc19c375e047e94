/** The filters of the list of sessions. */
import type { HostInList } from '../../prisma/session/session-list';
import { matchesGlob } from '../../rules/words/globs';
import type { SessionProgressBody } from '../schemas/summary-schemas';

export interface ListFilter {
  /** Any of these states of progress. */
  readonly states?: readonly string[];
  /** Sessions that have gone on, or were created, from that time on. */
  readonly since?: Date;
  /** The name of a host, or a pattern with * and ?. */
  readonly host?: string;
  /** A part of the name, in any case; or a pattern for all of it. */
  readonly name?: string;
  /** Those that are archived, in place of the others. */
  readonly isArchived: boolean;
}

type FilteredSession = Pick<SessionProgressBody, 'progress' | 'name' | 'created_at' | 'ended_at'>;

export const isWanted = (
  { states, since, host, name }: ListFilter,
  session: FilteredSession,
  hosts: readonly Pick<HostInList, 'hostname'>[],
): boolean =>
  (states === undefined || states.includes(session.progress)) &&
  (since === undefined || isSince(session, since)) &&
  (host === undefined || hosts.some(({ hostname }) => matchesGlob(host, hostname))) &&
  (name === undefined || hasName(session.name ?? '', name));

const isSince = ({ created_at: created, ended_at: ended }: FilteredSession, since: Date): boolean =>
  ended === null || new Date(ended) >= since || new Date(created) >= since;

const hasName = (name: string, wanted: string): boolean =>
  name.toLowerCase().includes(wanted.toLowerCase()) || matchesGlob(wanted, name);
