/** Says whether pods that are kept may be evicted, and how long pods may take to end by themselves. */
import { bindTo } from '../parts/bind';
import { Choice, TextField } from '../parts/fields';
import type { EvictionDraft } from './draft';

interface EvictionFieldsProps {
  readonly draft: EvictionDraft;
  readonly onChange: (change: Partial<EvictionDraft>) => void;
}

const keepOrEvict = [
  ['', 'as the settings say'],
  ['keep', 'keep them, and their node waits'],
  ['delete', 'evict them'],
] as const;
const keepOrDelete = [
  ['', 'as the settings say'],
  ['keep', 'keep them, and their node fails'],
  ['delete', 'delete them past their budgets'],
] as const;

export const EvictionFields = ({ draft, onChange }: EvictionFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <fieldset>
      <legend>Pods that somebody may miss</legend>
      <div class="pair">
        <Choice label="Pods that nothing makes again" options={keepOrEvict} {...bind('unmanagedPods')} />
        <Choice label="Pods with local data or no other node" options={keepOrEvict} {...bind('localData')} />
        <Choice label="Pods whose eviction is refused or slow" options={keepOrDelete} {...bind('forced')} />
        <TextField
          label="Seconds for pods that end by themselves"
          type="number"
          hint="for Jobs, and for pods that say so; empty: as the settings say"
          {...bind('completeWithin')}
        />
      </div>
    </fieldset>
  );
};
