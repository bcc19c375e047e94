/** Who did what in the session, when and why; the newest first. */
import { nameOr } from '../../rules/words/names';
import type { RecordEntry } from '../client/types';
import { LookNote } from '../parts/look-note';
import { Moment } from '../parts/times';
import type { SessionLooks } from './session-looks';

export const RecordPart = ({ looks }: { readonly looks: SessionLooks }) => {
  const entries = looks.record.seen.value?.body;
  return (
    <section aria-labelledby="record">
      <h2 id="record">Who did what</h2>
      <LookNote look={looks.record} />
      {entries?.length === 0 && <p class="hint">Nothing is on record.</p>}
      <ol class="plain-list events" reversed tabIndex={0} aria-labelledby="record">
        {entries?.toReversed().map((entry) => (
          <li key={`${entry.at} ${entry.did}`}>
            <span class="hint">
              <Moment at={entry.at} seconds />
            </span>{' '}
            <strong>{whoIn(entry)}</strong> {entry.did}
            {entry.reason !== null && `: ${entry.reason}`}
          </li>
        ))}
      </ol>
    </section>
  );
};

/** Where everybody is admin, nobody has a name. */
const whoIn = ({ by, who, project_id: project, project_name: name }: RecordEntry): string => {
  if (project !== null) return `project ${nameOr(project, name)}${who === null ? '' : ` (${who})`}`;
  return who ?? by;
};
