/** The purpose of a session: hosts, workflow, start, plug-ins. */
import type { ComponentChildren } from 'preact';
import type { Choices } from '../client/types';
import { useLook } from '../live/use-look';
import { bindTo } from '../parts/bind';
import { Area, Check, TextField } from '../parts/fields';
import { LookNote } from '../parts/look-note';
import { zone } from '../parts/times';
import { useSignedIn } from '../signed-in';
import { ActionFields } from './action-fields';
import { type Draft, listIn } from './draft';
import { HostPicker } from './host-picker';
import { WorkflowField } from './workflow-field';

interface RequestFieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** Names that stand here until the service has told its own. */
const usualNames = { hosts: [], workflows: ['vnf', 'default'], action_plugins: [] };

export const RequestFields = ({ draft, onChange }: RequestFieldsProps) => {
  const { api } = useSignedIn();
  const look = useLook<Choices>('choices', { read: async () => ({ body: await api.choices() }), everyMs: 60_000 });
  const { hosts, workflows, action_plugins: plugins } = look.seen.value?.body ?? usualNames;
  const bind = bindTo(draft, onChange);
  return (
    <>
      <HostFields draft={draft} onChange={onChange} hosts={hosts} note={<LookNote look={look} />} />
      <fieldset>
        <legend>Workflow</legend>
        <div class="pair">
          <WorkflowField known={workflows} {...bind('workflow')} />
          <TextField
            label="Start"
            type="datetime-local"
            hint={`in your time zone, ${zone}; empty: now`}
            {...bind('startAt')}
          />
        </div>
      </fieldset>
      <ActionFields actions={draft.actions} known={plugins} onChange={(actions) => onChange({ actions })} />
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

interface HostFieldsProps extends RequestFieldsProps {
  readonly hosts: Choices['hosts'];
  /** What is wrong where the hosts of the cloud are not known. */
  readonly note: ComponentChildren;
}

const HostFields = ({ draft, onChange, hosts, note }: HostFieldsProps) => (
  <fieldset>
    <legend>Hosts</legend>
    <Check label="All hosts of the cloud" isChecked={draft.allHosts} onChange={(allHosts) => onChange({ allHosts })} />
    {!draft.allHosts && (
      <>
        {note}
        {hosts.length > 0 && (
          <HostPicker
            hosts={hosts}
            picked={listIn(draft.hosts)}
            onPick={(names) => onChange({ hosts: names.join(' ') })}
          />
        )}
        <Area
          label="Names of the hosts"
          hint="pick them above, or name them here, separated by spaces, commas or lines"
          isRequired
          {...bindTo(draft, onChange)('hosts')}
        />
      </>
    )}
  </fieldset>
);
