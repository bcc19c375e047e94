/** A part of the form that is folded away: its present value stands beside its name. A refusal of it opens it. */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { fieldAsSeen } from '../../rules/words/what-they-see';
import type { PartInWords } from './draft-in-words';
import { FaultsContext } from './faults';
import { faultsWithin } from './messages-at';

interface FoldProps {
  readonly name: string;
  /** The present value. */
  readonly value: PartInWords;
  /** The pointers to its fields in the request. */
  readonly at: readonly string[];
  /** True where its fields show their own faults. */
  readonly areTold?: boolean;
  readonly children: ComponentChildren;
}

export const Fold = ({ name, value: { says, isSet }, at, areTold = false, children }: FoldProps) => {
  const [isOpen, setOpen] = useState(false);
  const faults = faultsWithin(useContext(FaultsContext), at);
  const isWrong = faults.length > 0;
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  return (
    <details
      class={isWrong ? 'fold wrong' : 'fold'}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="fold-name">{name}</span>
        <span class={isSet ? 'fold-says set' : 'fold-says'}>{isWrong ? 'to be corrected' : says}</span>
      </summary>
      {isOpen && (
        <div class="fold-room">
          {children}
          {!areTold &&
            faults.map(({ pointer, message }) => (
              <p key={`${pointer} ${message}`} class="fault">
                {fieldAsSeen(pointer, 'page')}: {message}
              </p>
            ))}
        </div>
      )}
    </details>
  );
};
