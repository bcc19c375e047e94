/** Asks before something is done, says what it will do, and shows why it was refused. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './dialog';
import { ProblemNote } from './problem-note';

export interface ConfirmProps {
  readonly title: string;
  /** The effect, as a sentence. */
  readonly says: readonly string[];
  /** The word on the button. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly isWide?: boolean;
  /** A word that has to be typed first. */
  readonly word?: string;
  readonly isReady?: boolean;
  /** What would be sent: when it changes, the refusal of what was sent before goes. */
  readonly about?: unknown;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

export const Confirm = ({ title, says, verb, isDangerous = false, word, isReady = true, ...rest }: ConfirmProps) => {
  const { act, onClose, children, isWide = false, about } = rest;
  const [problem, setProblem] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  useEffect(() => setProblem(undefined), [about, typed]);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    act()
      .then(onClose, setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={title} onClose={() => !isBusy && onClose()} isWide={isWide}>
      <form class="stack" onSubmit={onSubmit}>
        {says.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {children}
        {word !== undefined && <TypedWord word={word} typed={typed} onType={setTyped} />}
        <ProblemNote error={problem} />
        <div class="buttons">
          <button
            class={`button ${isDangerous ? 'danger' : 'primary'}`}
            disabled={isBusy || !isReady || (word !== undefined && typed.trim() !== word)}
          >
            {isBusy ? 'Asking…' : verb}
          </button>
          {/* What is on its way cannot be taken back, and its answer must not close another dialog. */}
          <button type="button" class="button" disabled={isBusy} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
};

interface TypedWordProps {
  readonly word: string;
  readonly typed: string;
  readonly onType: (text: string) => void;
}

const TypedWord = ({ word, typed, onType }: TypedWordProps) => (
  <label class="field">
    <span>
      Type <code>{word}</code> to confirm
    </span>
    <input
      value={typed}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget: { value } }) => onType(value)}
    />
  </label>
);
