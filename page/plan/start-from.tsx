/** Where a new session begins: from an earlier one, or from a template that somebody keeps in this browser. */
import { useState } from 'preact/hooks';
import { shortId } from '../../rules/words/times';
import type { Progress } from '../client/types';
import { useLook } from '../live/use-look';
import { Confirm } from '../parts/confirm';
import { TextField } from '../parts/fields';
import { timeAs } from '../parts/time-words';
import { useSignedIn } from '../signed-in';
import type { Draft } from './draft';
import { readTemplates, storeTemplates, type Template, withoutTemplate, withTemplate } from './templates';
import type { DraftInHand } from './use-draft';

const sessionsShown = 12;

export const StartFrom = ({ inHand }: { readonly inHand: DraftInHand }) => {
  const { draft, swap } = inHand;
  const [templates, setTemplates] = useState(readTemplates);
  const [isNaming, setNaming] = useState(false);
  const keep = (changed: readonly Template[]): void => {
    storeTemplates(changed);
    setTemplates(changed);
  };
  const fill = (value: string): void => {
    const [kind, id] = [value.slice(0, 1), value.slice(1)];
    const template = templates.find(({ name }) => name === id);
    if (kind === 't' && template !== undefined) inHand.fill(template.draft);
    if (kind === 's') void inHand.fillFrom(id);
  };
  return (
    <div class="start-from">
      <EarlierOnes templates={templates} onChoose={fill} />
      {swap !== undefined && (
        <button type="button" class="button small" onClick={swap}>
          Undo
        </button>
      )}
      <button type="button" class="button small" onClick={() => setNaming(true)}>
        Keep as a template
      </button>
      {isNaming && <KeepTemplate templates={templates} draft={draft} onKeep={keep} onClose={() => setNaming(false)} />}
    </div>
  );
};

interface EarlierOnesProps {
  readonly templates: readonly Template[];
  readonly onChoose: (value: string) => void;
}

const EarlierOnes = ({ templates, onChoose }: EarlierOnesProps) => {
  const { api } = useSignedIn();
  const look = useLook<readonly Progress[]>('sessions to plan again', {
    read: async () => ({ body: (await api.sessions()).toReversed().slice(0, sessionsShown) }),
    everyMs: 300_000,
  });
  const sessions = look.seen.value?.body ?? [];
  return (
    <label class="inline">
      <span>Fill in from</span>
      <select value="" onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">–</option>
        {templates.length > 0 && (
          <optgroup label="Templates">
            {templates.map(({ name }) => (
              <option key={name} value={`t${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {sessions.length > 0 && (
          <optgroup label="Again, like">
            {sessions.map(({ session_id: id, name, created_at: at }) => (
              <option key={id} value={`s${id}`}>
                {name ?? shortId(id)}, {timeAs('date', at)}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  );
};

interface KeepTemplateProps {
  readonly templates: readonly Template[];
  readonly draft: Draft;
  readonly onKeep: (templates: readonly Template[]) => void;
  readonly onClose: () => void;
}

const KeepTemplate = ({ templates, draft, onKeep, onClose }: KeepTemplateProps) => {
  const [name, setName] = useState(draft.name);
  const wanted = name.trim();
  const keep = (): Promise<void> => {
    onKeep(withTemplate(templates, { name: wanted, draft }));
    return Promise.resolve();
  };
  return (
    <Confirm
      title="Keep as a template"
      verb="Keep"
      says={['This browser keeps it, without its times and dates, and without addresses with a secret.']}
      isReady={wanted !== ''}
      act={keep}
      onClose={onClose}
    >
      <TextField label="Name of the template" isRequired value={name} onChange={setName} />
      {templates.length > 0 && (
        <ul class="plain-list" aria-label="Templates">
          {templates.map((one) => (
            <li key={one.name} class="wait-row">
              <span>{one.name}</span>
              <button
                type="button"
                class="button small"
                onClick={() => {
                  onKeep(withoutTemplate(templates, one.name));
                }}
              >
                Forget {one.name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Confirm>
  );
};
