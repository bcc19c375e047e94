/** The keys of the page, and what each does. */
export type KeyAction = 'search' | 'help' | 'down' | 'up' | 'sessions' | 'new';

interface Shortcut {
  /** The keys, one after the other. */
  readonly keys: readonly string[];
  readonly action: KeyAction;
  readonly words: string;
  readonly isForAdmins?: true;
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ['/'], action: 'search', words: 'go to the search of the view' },
  { keys: ['j'], action: 'down', words: 'go to the next row' },
  { keys: ['k'], action: 'up', words: 'go to the row before' },
  { keys: ['g', 's'], action: 'sessions', words: 'show the sessions', isForAdmins: true },
  { keys: ['n'], action: 'new', words: 'plan a new session', isForAdmins: true },
  { keys: ['?'], action: 'help', words: 'show these keys' },
];

export interface KeyOutcome {
  readonly action?: KeyAction;
  /** The keys that were pressed so far, where more are needed. */
  readonly pending: readonly string[];
}

/** @param pending the keys that were pressed before, and led to nothing yet */
export const afterKey = (key: string, pending: readonly string[]): KeyOutcome => {
  const pressed = [...pending, key];
  const found = shortcuts.find(({ keys }) => keys.join(' ') === pressed.join(' '));
  if (found !== undefined) return { action: found.action, pending: [] };
  const begins = shortcuts.some(({ keys }) => keys.join(' ').startsWith(`${pressed.join(' ')} `));
  if (begins) return { pending: pressed };
  return pending.length === 0 ? { pending: [] } : afterKey(key, []);
};

/** The place of the next row in a list; undefined: there is none. @param at -1: none has the focus */
export const rowAfter = (at: number, by: 1 | -1, count: number): number | undefined => {
  const to = at < 0 ? 0 : at + by;
  return to >= 0 && to < count ? to : undefined;
};
