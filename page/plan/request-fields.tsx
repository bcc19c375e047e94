/** The purpose of a session: its name and reason, hosts, workflow, start. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { count } from '../../rules/words/times';
import { ownZone } from '../live/shown-zone';
import { bindTo } from '../parts/bind';
import { Area, Check, TextField } from '../parts/fields';
import { type Draft, listIn } from './draft';
import { AtField } from './faults';
import type { HostChoice } from './host-choices';
import { HostPicker } from './host-picker';
import { SelectFields } from './select-fields';
import { WorkflowField } from './workflow-field';

export interface DraftFieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

interface RequestFieldsProps extends DraftFieldsProps {
  readonly hosts: readonly HostChoice[];
  readonly workflows: readonly string[];
  /** What is wrong where the hosts of the cloud are not known. */
  readonly note: ComponentChildren;
}

export const RequestFields = ({ draft, onChange, hosts, workflows, note }: RequestFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <>
      <div class="pair">
        <AtField at="/name">
          <TextField label="Name" hint="for admins, such as kernel of rack 7" {...bind('name')} />
        </AtField>
        <AtField at="/reason">
          <TextField label="Reason" hint="for the owners of instances" {...bind('reason')} />
        </AtField>
      </div>
      <AtField at="/hosts">
        <HostFields draft={draft} onChange={onChange} hosts={hosts} note={note} />
      </AtField>
      <div class="pair">
        <AtField at="/workflow">
          <WorkflowField known={workflows} {...bind('workflow')} />
        </AtField>
        <AtField at="/maintenance_at">
          <TextField
            label="Start"
            type="datetime-local"
            hint={`in your time zone, ${ownZone}; empty: now`}
            {...bind('startAt')}
          />
        </AtField>
      </div>
    </>
  );
};

const HostFields = ({ draft, onChange, hosts, note }: Omit<RequestFieldsProps, 'workflows'>) => {
  const picked = useMemo(() => listIn(draft.hosts), [draft.hosts]);
  const isListed = hosts.length > 0;
  return (
    <fieldset class="plain">
      <legend>
        Hosts <span class="number">{draft.allHosts ? 'all' : count(picked.length, 'picked', 'picked')}</span>
      </legend>
      {!draft.allHosts && (
        <>
          {note}
          {isListed && (
            <HostPicker hosts={hosts} picked={picked} onPick={(names) => onChange({ hosts: names.join(' ') })} />
          )}
          <NamesByHand isNeeded={!isListed} draft={draft} onChange={onChange} />
        </>
      )}
      <SelectFields draft={draft} onChange={onChange} hosts={hosts} />
      <Check
        label="All hosts of the cloud"
        isChecked={draft.allHosts}
        onChange={(allHosts) => onChange({ allHosts })}
      />
    </fieldset>
  );
};

interface NamesByHandProps extends DraftFieldsProps {
  /** True while there is no list to pick from. */
  readonly isNeeded: boolean;
}

/** Stays as its reader has it: the list may come while somebody types. */
const NamesByHand = ({ isNeeded, draft, onChange }: NamesByHandProps) => {
  const [chosen, choose] = useState<boolean | undefined>(undefined);
  const isOpen = chosen ?? isNeeded;
  return (
    <details open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          choose(!isOpen);
        }}
      >
        Name hosts by hand
      </summary>
      <div onFocusCapture={() => choose(true)}>
        <Area
          label="Names of the hosts"
          hint="separated by spaces, commas or lines"
          {...bindTo(draft, onChange)('hosts')}
        />
      </div>
    </details>
  );
};
