/** All sessions, each in one line: how far it is and when it ends. */
import { useState } from 'preact/hooks';
import { progressInWords } from '../../rules/words/progress';
import { shortId } from '../../rules/words/times';
import { hashOf } from '../address';
import type { Progress } from '../client/types';
import { nowMs } from '../live/clock';
import type { Seen } from '../live/count-down';
import { useEventsFor, useLook } from '../live/use-look';
import { Bar } from '../parts/bar';
import { Chip } from '../parts/chip';
import { LookNote } from '../parts/look-note';
import { Left, Moment } from '../parts/times';
import { progressTones, stateWords } from '../parts/words-of-progress';
import { useSignedIn } from '../signed-in';
import { ListFilters, noFilters, queryOf } from './list-filters';

export const SessionsPage = () => {
  const { api } = useSignedIn();
  const [filters, setFilters] = useState(noFilters);
  const query = queryOf(filters, nowMs.peek());
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
      {seen !== undefined && (seen.body.length === 0 ? <Nothing isFiltered={isFiltered} /> : <Table seen={seen} />)}
    </>
  );
};

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <p>
    {isFiltered
      ? 'There is no such session.'
      : 'There is no session. Plan one: you see what it would do before anything happens.'}
  </p>
);

const Table = ({ seen }: { readonly seen: Seen<readonly Progress[]> }) => (
  <table class="sessions">
    <thead>
      <tr>
        <th scope="col">Session</th>
        <th scope="col">State</th>
        <th scope="col">Hosts done</th>
        <th scope="col">Ends in</th>
        <th scope="col" class="wide-only">
          Created
        </th>
      </tr>
    </thead>
    <tbody>
      {seen.body.toReversed().map((session) => (
        <Row key={session.session_id} session={session} atMs={seen.atMs} />
      ))}
    </tbody>
  </table>
);

const Row = ({ session, atMs }: { readonly session: Progress; readonly atMs: number }) => {
  const { session_id: id, progress, state, percent_done: percent, host_count: hosts } = session;
  return (
    <tr>
      <th scope="row">
        <a href={hashOf({ name: 'session', sessionId: id })}>{shortId(id)}</a>{' '}
        <span class="hint">{session.name ?? session.workflow}</span>
      </th>
      <td>
        <Chip tone={progressTones[progress]}>{progressInWords(progress)}</Chip>{' '}
        <span class="hint wide-only">{stateWords(state)}</span>
      </td>
      <td class="far">
        <Bar percent={percent} label={`Hosts of session ${shortId(id)} that are done`} />
        <span class="hint">
          {session.hosts_by_phase.maintained} of {hosts}
        </span>
      </td>
      <td>
        {session.seconds_left === null ? (
          <span class="hint">–</span>
        ) : (
          <>
            {session.end_from === 'records' && 'roughly '}
            <Left seconds={session.seconds_left.expected} atMs={atMs} />
          </>
        )}
      </td>
      <td class="wide-only">
        <Moment at={session.created_at} />
      </td>
    </tr>
  );
};
