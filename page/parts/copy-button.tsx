/** Copies a text that nobody wants to mark by hand. */
import { useState } from 'preact/hooks';

const shownMs = 1_500;

interface CopyButtonProps {
  readonly text: string;
  /** Follows "Copy". */
  readonly what: string;
}

/** Browsers offer no clipboard to pages without HTTPS, except on the machine itself: there is no button then. */
export const CopyButton = ({ text, what }: CopyButtonProps) => {
  const [isCopied, setCopied] = useState(false);
  if (!isSecureContext) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <button class="button quiet icon" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={() => void copy()}>
      <svg class="icon-drawing" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
        {isCopied ? <path d="M3 8.5l3.5 3.5L13 4.5" /> : <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />}
      </svg>
      <span class="hidden" role="status">
        {isCopied && 'Copied'}
      </span>
    </button>
  );
};
