/** Which session it is, the state that it is in, who created it, and what one can do. It stays in sight. */
import { progressInWords } from '../../rules/words/progress';
import { stateInWords } from '../../rules/words/states';
import { shortId } from '../../rules/words/times';
import type { RecordEntry, Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { Chip } from '../parts/chip';
import { CopyButton } from '../parts/copy-button';
import { Ago } from '../parts/times';
import { toneOf } from '../parts/words-of-progress';
import type { SessionLooks } from './session-looks';
import { SessionToolbar } from './session-toolbar';

interface SessionHeadProps {
  readonly seen: Seen<Summary>;
  readonly looks: SessionLooks;
}

export const SessionHead = ({ seen, looks }: SessionHeadProps) => {
  const { session_id: id, name, workflow, state, progress, archived_at: archived, created_at: created } = seen.body;
  const creator = creatorIn(looks.record.seen.value?.body ?? []);
  return (
    <div class="session-head">
      <div class="session-title">
        <h1>
          <a class="crumb" href="#/">
            Sessions
          </a>{' '}
          <span aria-hidden="true">/</span> {name ?? `Session ${shortId(id)}`}
        </h1>
        <p class="under-title">
          <Chip tone={toneOf(seen.body)}>{progressInWords(progress)}</Chip> {stateInWords(state)}
          <span class="hint">
            {' '}
            · {workflow} · {shortId(id)} <CopyButton text={id} what="the session's ID" /> · created{' '}
            {creator !== undefined && `by ${creator} `}
            <Ago at={created} />
            {archived !== null && (
              <>
                {' '}
                · archived <Ago at={archived} />
              </>
            )}
          </span>
        </p>
      </div>
      <SessionToolbar seen={seen} looks={looks} />
    </div>
  );
};

/** undefined: everybody is admin, or a long record does not reach back to the creation. */
const creatorIn = (record: readonly RecordEntry[]): string | undefined =>
  record.find(({ did }) => did === 'created the session')?.who ?? undefined;
