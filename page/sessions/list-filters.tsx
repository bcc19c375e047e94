/** The filters above the list of sessions. */
import { useState } from 'preact/hooks';
import { Check, Search, Select } from '../parts/fields';
import { type ListDraft, noFilters } from './list-query';

const states: readonly (readonly [string, string])[] = [
  ['', 'any state'],
  ['running,closed,paused,scheduled', 'to come, or under way'],
  ['failed,failing,aborted,aborting', 'failed or aborted'],
  ['done', 'done'],
];
const times: readonly (readonly [string, string])[] = [
  ['', 'at any time'],
  ['1', 'in the last day'],
  ['7', 'in the last 7 days'],
  ['30', 'in the last 30 days'],
];

const hostHint = 'Host, such as rack7-*';

interface ListFiltersProps {
  readonly draft: ListDraft;
  readonly onChange: (draft: ListDraft) => void;
}

export const ListFilters = ({ draft, onChange }: ListFiltersProps) => {
  const [isOpen, setOpen] = useState(false);
  const change = (changed: Partial<ListDraft>): void => onChange({ ...draft, ...changed });
  const isFiltered = JSON.stringify(draft) !== JSON.stringify(noFilters);
  return (
    <div class={isOpen ? 'list-filters open' : 'list-filters'} role="search" aria-label="Sessions">
      <Search label="Find by name" value={draft.name} onType={(name) => change({ name })} />
      <button type="button" class="button phone-only" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters
      </button>
      <div class="more-filters">
        <Search label="Host" placeholder={hostHint} value={draft.host} onType={(host) => change({ host })} />
        <Select
          isLabelHidden
          label="State"
          options={states}
          value={draft.state}
          onChange={(state) => change({ state })}
        />
        <Select
          isLabelHidden
          label="Went on"
          options={times}
          value={draft.days}
          onChange={(days) => change({ days })}
        />
        <Check label="Archived" isChecked={draft.isArchived} onChange={(isArchived) => change({ isArchived })} />
        {isFiltered && (
          <button type="button" class="button quiet" onClick={() => onChange(noFilters)}>
            Show all
          </button>
        )}
      </div>
    </div>
  );
};
