/** Follows the keyboard, but never while somebody types or a dialog is open. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog';
import { goTo } from '../route';
import { useSignedIn } from '../signed-in';
import { toRow, toSearch } from './moves';
import { afterKey, type KeyAction, shortcuts } from './shortcuts';

/** A second key has to follow within this time. */
const togetherMs = 1_500;

export const Keys = ({ isOpen, onOpen }: { readonly isOpen: boolean; readonly onOpen: (isOpen: boolean) => void }) => {
  const { who } = useSignedIn();
  const own = shortcuts.filter(({ isForAdmins }) => who.role === 'admin' || isForAdmins !== true);
  useKeys((action) => {
    if (action === 'help') onOpen(true);
    else if (own.some((one) => one.action === action)) acts[action]();
  });
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" onClose={() => onOpen(false)}>
      <dl class="keys">
        {own.map(({ keys, words }) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>close a dialog</dd>
        </div>
      </dl>
    </Dialog>
  );
};

const acts: Readonly<Record<Exclude<KeyAction, 'help'>, () => void>> = {
  search: toSearch,
  down: () => toRow(1),
  up: () => toRow(-1),
  sessions: () => goTo({ name: 'home' }),
  new: () => goTo({ name: 'new' }),
};

const useKeys = (onAction: (action: KeyAction) => void): void => {
  const latest = useRef(onAction);
  latest.current = onAction;
  const [pending] = useState<{ keys: readonly string[]; atMs: number }>(() => ({ keys: [], atMs: 0 }));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isAtWork(event.target)) return;
      const before = performance.now() - pending.atMs < togetherMs ? pending.keys : [];
      const { action, pending: keys } = afterKey(event.key, before);
      Object.assign(pending, { keys, atMs: performance.now() });
      if (action === undefined) return;
      event.preventDefault();
      latest.current(action);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
};

/** True while somebody types, or has a dialog open. */
const isAtWork = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"]):not([type="radio"])')));
