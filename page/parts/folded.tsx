/** Something long that is folded, and drawn when somebody opens it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FoldedProps {
  readonly words: string;
  readonly show: () => ComponentChildren;
}

export const Folded = ({ words, show }: FoldedProps) => {
  const [isOpen, open] = useState(false);
  return (
    <details class="folded" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{words}</summary>
      {isOpen && show()}
    </details>
  );
};
