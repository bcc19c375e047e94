/** All sessions, each in one line: how far it is and when it ends. */
import { useState } from 'preact/hooks';
import { hashOf } from '../address';
import type { Progress } from '../client/types';
import { nowMs } from '../live/clock';
import type { Seen } from '../live/count-down';
import { useDebounced } from '../live/use-debounced';
import { useEventsFor, useLook } from '../live/use-look';
import { LookNote } from '../parts/look-note';
import { useSignedIn } from '../signed-in';
import { ListFilters } from './list-filters';
import { noFilters, queryOf } from './list-query';
import { SessionRow } from './session-row';

/** People who type pause for less. */
const standStillMs = 350;

export const SessionsPage = () => {
  const { api } = useSignedIn();
  const [filters, setFilters] = useState(noFilters);
  const query = queryOf(useDebounced(filters, standStillMs), nowMs.peek());
  const isFiltered = Object.keys(query).length > 0;
  const look = useLook(`sessions ${JSON.stringify(query)}`, {
    read: async () => ({ body: await api.sessions(query) }),
    everyMs: 5_000,
  });
  useEventsFor(look, () => true);
  const seen = look.seen.value;
  return (
    <>
      <div class="title-row">
        <h1>Sessions</h1>
        <a class="button primary" href={hashOf({ name: 'new' })}>
          Plan a session
        </a>
      </div>
      <ListFilters draft={filters} onChange={setFilters} />
      <LookNote look={look} />
      {seen !== undefined &&
        (seen.body.length === 0 ? <Nothing isFiltered={isFiltered} /> : <Table seen={seen} onChange={look.again} />)}
    </>
  );
};

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <p class="nothing">
    {isFiltered
      ? 'There is no such session.'
      : 'There is no session. Plan one: you see what it would do before anything happens.'}
  </p>
);

interface TableProps {
  readonly seen: Seen<readonly Progress[]>;
  readonly onChange: () => void;
}

const Table = ({ seen, onChange }: TableProps) => (
  <div class="list-room">
    <table class="sessions">
      <thead>
        <tr>
          <th scope="col">Session</th>
          <th scope="col">State</th>
          <th scope="col">Done</th>
          <th scope="col">Ends in</th>
          <th scope="col" class="wide-only">
            Created
          </th>
          <th scope="col">
            <span class="hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {seen.body.toReversed().map((session) => (
          <SessionRow key={session.session_id} session={session} atMs={seen.atMs} onChange={onChange} />
        ))}
      </tbody>
    </table>
  </div>
);
