/** The hosts of a session as a table. */
import type { SessionDetailBody } from '../../../api/schemas/session-schemas';
import { inWords } from '../../../rules/reasons/in-words';
import { withShortIds } from '../../../rules/words/names';
import { phaseInWords } from '../../../rules/words/phases';
import { ageOf, left } from '../../../rules/words/times';
import type { Column } from './table';

type HostBody = SessionDetailBody['hosts'][number];

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
      cell: ({ waiting, details }) => (waiting === null ? withShortIds(details) : inWords(waiting)),
      breaks: 'at words',
    },
    { title: 'LEFT', cell: ({ waiting }) => left(waiting?.remaining_seconds ?? null) },
  ];
};
