/** Which session it is, and the state that it is in. */
import { progressInWords } from '../../rules/words/progress';
import { shortId } from '../../rules/words/times';
import type { Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { Chip } from '../parts/chip';
import { Moment } from '../parts/times';
import { progressTones, stateWords } from '../parts/words-of-progress';
import { useSignedIn } from '../signed-in';
import { ReportButton } from './report-button';

export const SessionTitle = ({ seen: { body } }: { readonly seen: Seen<Summary> }) => {
  const { ways } = useSignedIn();
  const { session_id: id, name, workflow, state, progress, archived_at: archived } = body;
  return (
    <div class="title-row">
      <div>
        <p class="crumbs">
          <a href="#/">Sessions</a>
        </p>
        <h1>
          Session <span title={id}>{shortId(id)}</span>
          {name === null ? '' : `: ${name}`}
        </h1>
        <p class="under-title">
          <Chip tone={progressTones[progress]}>{progressInWords(progress)}</Chip> <span>{stateWords(state)}</span>{' '}
          <span class="hint">workflow {workflow}</span>
          {archived !== null && (
            <span class="hint">
              , archived <Moment at={archived} />
            </span>
          )}
        </p>
      </div>
      <div class="buttons">
        <ReportButton sessionId={id} />
        {ways.temporal_ui_url !== undefined && (
          <a class="button" href={`${ways.temporal_ui_url}/${id}`} target="_blank" rel="noreferrer">
            Open in Temporal
          </a>
        )}
      </div>
    </div>
  );
};
