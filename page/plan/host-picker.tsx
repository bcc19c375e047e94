/** The hosts of the cloud to pick from. Those that are picked are named in the field of names. */
import { useState } from 'preact/hooks';
import { count, shortId } from '../../rules/words/times';
import type { Choices } from '../client/types';
import { Check } from '../parts/fields';

type HostChoice = Choices['hosts'][number];

/** The hosts of a large cloud that are shown; the others are found by their names. */
const shown = 200;

interface HostPickerProps {
  readonly hosts: readonly HostChoice[];
  readonly picked: readonly string[];
  readonly onPick: (hostnames: readonly string[]) => void;
}

const isFree = ({ session_id: sessionId, seems_gone: gone }: HostChoice): boolean =>
  sessionId === null && gone === null;

const labelOf = ({ hostname, type, session_id: sessionId, seems_gone: gone }: HostChoice): string => {
  if (sessionId !== null) return `${hostname}, in session ${shortId(sessionId)}`;
  if (gone !== null) return `${hostname}, which seems to be gone`;
  return type === 'compute' ? hostname : `${hostname}, ${type}`;
};

export const HostPicker = ({ hosts, picked, onPick }: HostPickerProps) => {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = hosts.filter(({ hostname }) => hostname.toLowerCase().includes(wanted));
  const free = found.filter(isFree).map(({ hostname }) => hostname);
  const toggle = (hostname: string, isPicked: boolean): void =>
    onPick(isPicked ? [...picked, hostname] : picked.filter((one) => one !== hostname));
  return (
    <div class="group" role="group" aria-label="Hosts of the cloud">
      <div class="filters">
        <FindHost text={text} onText={setText} />
        <button type="button" class="button" onClick={() => onPick([...new Set([...picked, ...free])])}>
          Pick {count(free.length, 'free host')}
        </button>
        <button type="button" class="button" onClick={() => onPick([])}>
          Pick none
        </button>
      </div>
      <div class="picks" tabIndex={0} role="group" aria-label="Hosts to pick">
        {found.slice(0, shown).map((host) => (
          <Check
            key={host.hostname}
            label={labelOf(host)}
            isChecked={picked.includes(host.hostname)}
            isDisabled={!isFree(host) && !picked.includes(host.hostname)}
            onChange={(isPicked) => toggle(host.hostname, isPicked)}
          />
        ))}
      </div>
      {found.length === 0 && <p class="hint">No host matches.</p>}
      {found.length > shown && (
        <p class="hint">and {count(found.length - shown, 'more', 'more')}: type a part of a name</p>
      )}
    </div>
  );
};

const FindHost = ({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) => (
  <label>
    <span class="hidden">Find a host of the cloud</span>
    <input
      type="search"
      placeholder="Find a host"
      value={text}
      onInput={({ currentTarget: { value } }) => onText(value)}
    />
  </label>
);
