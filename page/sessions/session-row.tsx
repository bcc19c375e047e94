/** One session in the list: which one, how far it is, when it ends, who created it, and what one can do from here. */
import { useState } from 'preact/hooks';
import { noEndWords, progressInWords } from '../../rules/words/progress';
import { stateInWords } from '../../rules/words/states';
import { count, shortId } from '../../rules/words/times';
import { hashOf } from '../address';
import type { Progress } from '../client/types';
import { Bar } from '../parts/bar';
import { Chip } from '../parts/chip';
import { Confirm } from '../parts/confirm';
import { Left, Moment } from '../parts/times';
import { toneOf } from '../parts/words-of-progress';
import { useSignedIn } from '../signed-in';
import { RangeMark } from './range-mark';

interface SessionRowProps {
  readonly session: Progress;
  readonly atMs: number;
  readonly onChange: () => void;
}

export const SessionRow = ({ session, atMs, onChange }: SessionRowProps) => {
  const { session_id: id, name, workflow, progress, state, percent_done: percent, host_count: hosts } = session;
  return (
    <tr>
      <th scope="row" id={`session-${id}`}>
        <a class="session-link" data-row href={hashOf({ name: 'session', sessionId: id })}>
          {name !== null && <span class="session-name">{name} </span>}
          <span class={name === null ? 'session-name' : 'session-id'}>{shortId(id)}</span>
        </a>
        <span class="hint wide-only"> {workflow}</span>
      </th>
      <td class="state-cell">
        <Chip tone={toneOf(session)}>{progressInWords(progress)}</Chip>
        {isUnderWay(progress) && <span class="hint wide-only"> {stateInWords(state)}</span>}
      </td>
      <td class="far">
        <Bar percent={percent} label={`Hosts of session ${shortId(id)} that are done`} />
        <span class="hint">
          {session.hosts_by_phase.maintained} of {count(hosts, 'host')}
        </span>
      </td>
      <td class="end-cell">
        <End session={session} atMs={atMs} />
      </td>
      <td class="wide-only">
        <Moment at={session.created_at} />
        {session.created_by !== null && <span class="hint creator">by {session.created_by}</span>}
      </td>
      <td class="row-actions">
        <RowActions session={session} onChange={onChange} />
      </td>
    </tr>
  );
};

const isUnderWay = (progress: Progress['progress']): boolean => progress === 'running' || progress === 'paused';

const End = ({ session, atMs }: Omit<SessionRowProps, 'onChange'>) => {
  const { seconds_left: seconds, ended_at: endedAt, end_from: from } = session;
  if (endedAt !== null) {
    return (
      <span class="hint">
        ended <Moment at={endedAt} />
      </span>
    );
  }
  if (seconds === null) return <span class="hint">{noEndWords(session.progress)}</span>;
  return (
    <>
      <span class="end-words">
        {from === 'records' && <span class="hint">roughly </span>}
        <Left seconds={seconds.expected} atMs={atMs} />
      </span>
      {session.progress === 'scheduled' && (
        <span class="hint">
          begins <Moment at={session.maintenance_at} />
        </span>
      )}
      <RangeMark seconds={seconds} isRough={from === 'records'} />
    </>
  );
};

const RowActions = ({ session, onChange }: Pick<SessionRowProps, 'session' | 'onChange'>) => {
  const { api } = useSignedIn();
  const [isAsked, ask] = useState(false);
  const { session_id: id, progress, archived_at: archived, name } = session;
  const called = name ?? shortId(id);
  const mayArchive = archived === null && ['done', 'failed', 'aborted'].includes(progress);
  return (
    <>
      <a class="button small" href={hashOf({ name: 'new', again: id })} aria-describedby={`session-${id}`}>
        Again
      </a>
      {mayArchive && (
        <button class="button small quiet" aria-describedby={`session-${id}`} onClick={() => ask(true)}>
          Archive
        </button>
      )}
      {isAsked && (
        <Confirm
          title={`Archive ${called}`}
          verb="Archive"
          says={['It leaves the list and stays on record. Hosts that it still has disabled are enabled first.']}
          act={() => api.archive(id).then(onChange)}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
};
