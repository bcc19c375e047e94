/** The action plug-ins of a session: what is done to its hosts. */
import { Choice, TextField } from '../parts/fields';
import type { ActionDraft, ActionType } from './draft';

const types: readonly (readonly [ActionType, string])[] = [
  ['host', 'for every host'],
  ['compute', 'for every compute'],
  ['controller', 'for every controller'],
  ['pre', 'before all hosts'],
  ['post', 'after all hosts'],
];

interface ActionFieldsProps {
  readonly actions: readonly ActionDraft[];
  /** Plug-ins that the service has. */
  readonly known: readonly string[];
  readonly onChange: (actions: readonly ActionDraft[]) => void;
}

export const ActionFields = ({ actions, known, onChange }: ActionFieldsProps) => (
  <fieldset>
    <legend>Action plug-ins</legend>
    {actions.length === 0 && <p class="hint">None: the hosts are drained, told of and enabled again.</p>}
    {actions.map((action, at) => {
      const change = (changed: Partial<ActionDraft>): void => onChange(actions.with(at, { ...action, ...changed }));
      return (
        <div key={at} class="group framed" role="group" aria-label={`Plug-in ${at + 1}`}>
          <div class="pair">
            <TextField
              label="Plug-in"
              isRequired
              value={action.plugin}
              list={known}
              onChange={(plugin) => change({ plugin })}
            />
            <Choice label="When it runs" value={action.type} options={types} onChange={(type) => change({ type })} />
            <TextField
              label="Its metadata (JSON)"
              placeholder="{}"
              value={action.metadata}
              onChange={(metadata) => change({ metadata })}
            />
          </div>
          <div class="buttons">
            <button type="button" class="button" onClick={() => onChange(actions.toSpliced(at, 1))}>
              Remove plug-in {at + 1}
            </button>
          </div>
        </div>
      );
    })}
    <AddAction onAdd={(action) => onChange([...actions, action])} />
  </fieldset>
);

const AddAction = ({ onAdd }: { readonly onAdd: (action: ActionDraft) => void }) => (
  <div class="buttons">
    <button type="button" class="button" onClick={() => onAdd({ plugin: '', type: 'host', metadata: '' })}>
      Add a plug-in
    </button>
  </div>
);
