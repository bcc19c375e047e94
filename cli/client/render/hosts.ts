/** The hosts of a session as a table. */
import type { ChoicesBody } from '../../../api/schemas/choice-schemas';
import type { SessionDetailBody } from '../../../api/schemas/session-schemas';
import type { SessionProgressBody } from '../../../api/schemas/summary-schemas';
import { inWords } from '../../../rules/reasons/in-words';
import type { HostLabels } from '../../../rules/selectors/labels';
import { withShortIds } from '../../../rules/words/names';
import { phaseInWords } from '../../../rules/words/phases';
import { ageOf, left, shortId } from '../../../rules/words/times';
import type { Column } from './table';

type HostOfCloud = ChoicesBody['hosts'][number];

/** @param sessions those that may have the hosts, for their names */
export const cloudHostColumns = (sessions: readonly SessionProgressBody[]): Column<HostOfCloud>[] => {
  const nameOf = new Map(sessions.map(({ session_id: id, name }) => [id, name]));
  return [
    { title: 'NAME', cell: ({ hostname }) => hostname },
    { title: 'TYPE', cell: ({ type }) => type, mayGo: true },
    { title: 'SESSION', cell: ({ session_id: id }) => (id === null ? '-' : shortId(id)) },
    { title: 'SESSION-NAME', cell: ({ session_id: id }) => nameOf.get(id ?? '') ?? '-', breaks: 'at words' },
    { title: 'ZONE', cell: ({ zone }) => zone ?? '-', mayGo: true },
    { title: 'LABELS', cell: ({ labels }) => wordsOfLabels(labels), wide: true, breaks: 'at words' },
    { title: 'SEEMS-GONE', cell: ({ seems_gone: why }) => why ?? '-', breaks: 'at words', mayGo: true },
  ];
};

const wordsOfLabels = (labels: HostLabels): string =>
  Object.entries(labels)
    .map(([key, text]) => `${key}=${text}`)
    .join(' ') || '-';

type HostBody = SessionDetailBody['hosts'][number];

/** What is known of a host beside its wait, such as what somebody has put on it, is said as well. */
const waitsFor = ({ waiting, details }: HostBody): string =>
  [waiting === null ? '' : inWords(waiting), withShortIds(details)].filter((words) => words !== '').join('; ');

export const hostColumns = ({ instances }: SessionDetailBody): Column<HostBody>[] => {
  const there = Map.groupBy(
    instances.filter(({ state }) => state !== 'DELETED'),
    ({ host }) => host,
  );
  return [
    { title: 'NAME', cell: ({ hostname }) => hostname },
    { title: 'TYPE', cell: ({ type }) => type, wide: true },
    { title: 'PHASE', cell: ({ phase }) => phaseInWords(phase) },
    { title: 'FOR', cell: ({ phase_since: since }) => ageOf(since, Date.now()), mayGo: true },
    { title: 'VMS', cell: ({ hostname }) => String(there.get(hostname)?.length ?? 0), mayGo: true },
    {
      title: 'WAITS-FOR',
      cell: waitsFor,
      breaks: 'at words',
    },
    { title: 'LEFT', cell: ({ waiting }) => left(waiting?.remaining_seconds ?? null) },
  ];
};
