/** The filters of the list of sessions. */
import { bindTo } from '../parts/bind';
import { Check, Choice, TextField } from '../parts/fields';

export interface ListDraft {
  readonly state: string;
  /** Days; empty: all. */
  readonly days: string;
  readonly host: string;
  readonly name: string;
  readonly isArchived: boolean;
}

export const noFilters: ListDraft = { state: '', days: '', host: '', name: '', isArchived: false };

const states = [
  ['', 'any'],
  ['running,closed,paused,scheduled', 'to come, or under way'],
  ['failed,failing,aborted,aborting', 'failed or aborted'],
  ['done', 'done'],
] as const;
const times = [
  ['', 'at any time'],
  ['1', 'in the last day'],
  ['7', 'in the last 7 days'],
  ['30', 'in the last 30 days'],
] as const;

const dayMs = 86_400_000;

/** The query of the list. A day is cut to the hour, so that the same filters make the same query for a while. */
export const queryOf = ({ state, days, host, name, isArchived }: ListDraft, nowMs: number) => {
  const hourMs = 3_600_000;
  const since = new Date(Math.floor((nowMs - Number(days) * dayMs) / hourMs) * hourMs).toISOString();
  return {
    ...(state !== '' && { state }),
    ...(days !== '' && { since }),
    ...(host.trim() !== '' && { host: host.trim() }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(isArchived && { archived: 'true' }),
  };
};

interface ListFiltersProps {
  readonly draft: ListDraft;
  readonly onChange: (draft: ListDraft) => void;
}

export const ListFilters = ({ draft, onChange }: ListFiltersProps) => {
  const bind = bindTo(draft, (change) => onChange({ ...draft, ...change }));
  return (
    <details>
      <summary>Find sessions</summary>
      <div class="pair">
        <TextField label="Name" hint="a part of it" {...bind('name')} />
        <TextField label="Host" hint="* stands for any text" {...bind('host')} />
        <Choice
          label="State"
          options={states}
          value={choiceIn(states, draft.state)}
          onChange={bind('state').onChange}
        />
        <Choice label="Went on" options={times} value={choiceIn(times, draft.days)} onChange={bind('days').onChange} />
        <Check
          label="Archived sessions"
          isChecked={draft.isArchived}
          onChange={(isArchived) => onChange({ ...draft, isArchived })}
        />
      </div>
    </details>
  );
};

const choiceIn = <Value extends string>(options: readonly (readonly [Value, string])[], value: string): Value | '' =>
  options.find(([one]) => one === value)?.[0] ?? '';
