/** The purpose of a session: hosts, workflow, start, plug-ins. */
import { bindTo } from '../parts/bind';
import { Area, Check, TextField } from '../parts/fields';
import { ActionFields } from './action-fields';
import type { Draft } from './draft';

interface RequestFieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

export const RequestFields = ({ draft, onChange }: RequestFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <>
      <fieldset>
        <legend>Hosts</legend>
        <Check
          label="All hosts of the cloud"
          isChecked={draft.allHosts}
          onChange={(allHosts) => onChange({ allHosts })}
        />
        {!draft.allHosts && (
          <Area label="Names of the hosts" hint="separated by spaces, commas or lines" isRequired {...bind('hosts')} />
        )}
      </fieldset>
      <fieldset>
        <legend>Workflow</legend>
        <div class="pair">
          <TextField
            label="Workflow"
            isRequired
            hint="vnf: many hosts at once, projects are asked for each instance; default: one host after the other"
            list={['vnf', 'default']}
            {...bind('workflow')}
          />
          <TextField label="Start" type="datetime-local" hint="in your time; empty: now" {...bind('startAt')} />
        </div>
      </fieldset>
      <ActionFields actions={draft.actions} onChange={(actions) => onChange({ actions })} />
      <details>
        <summary>Downloads and metadata</summary>
        <div class="stack">
          <Area label="Packages to download (URLs)" {...bind('downloads')} />
          <Area label="Metadata for projects (JSON)" {...bind('metadata')} />
        </div>
      </details>
    </>
  );
};
