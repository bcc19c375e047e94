/** The filters above the list of sessions. */
import { useState } from 'preact/hooks';
import { Check } from '../parts/fields';
import { type ListDraft, noFilters } from './list-query';

const states = [
  ['', 'any state'],
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
      <Search label="Find by name" hint="Find by name" value={draft.name} onType={(name) => change({ name })} />
      <button type="button" class="button phone-only" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters
      </button>
      <div class="more-filters">
        <Search label="Host" hint="Host, such as rack7-*" value={draft.host} onType={(host) => change({ host })} />
        <Select label="State" options={states} value={draft.state} onChoose={(state) => change({ state })} />
        <Select label="Went on" options={times} value={draft.days} onChoose={(days) => change({ days })} />
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

interface SearchProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onType: (text: string) => void;
}

const Search = ({ label, hint, value, onType }: SearchProps) => (
  <label class="search">
    <span class="hidden">{label}</span>
    <input
      type="search"
      placeholder={hint}
      value={value}
      spellcheck={false}
      autocomplete="off"
      onInput={({ currentTarget }) => onType(currentTarget.value)}
    />
  </label>
);

interface SelectProps {
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

const Select = ({ label, options, value, onChoose }: SelectProps) => (
  <label>
    <span class="hidden">{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  </label>
);
