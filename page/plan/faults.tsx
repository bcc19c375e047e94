/** Refusals of the API at the fields that they are about. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { Refusal } from '../client/problem';
import { type FieldFault, messagesAt } from './messages-at';

export const FaultsContext = createContext<readonly FieldFault[]>([]);

/** The faults in the answer of the API; none where it has refused nothing. */
export const faultsIn = (problem: unknown): readonly FieldFault[] =>
  problem instanceof Refusal ? problem.problem.errors : [];

interface AtFieldProps {
  /** The pointer to the field, or to a list of fields, in the request. */
  readonly at: string;
  readonly children: ComponentChildren;
}

/** Shows below its fields what the API says about them. */
export const AtField = ({ at, children }: AtFieldProps) => {
  const messages = messagesAt(useContext(FaultsContext), at);
  const room = useRef<HTMLDivElement>(null);
  const id = useId();
  const isWrong = messages.length > 0;
  useEffect(() => {
    for (const field of room.current?.querySelectorAll('input, select, textarea') ?? []) {
      if (isWrong) field.setAttribute('aria-describedby', id);
      else field.removeAttribute('aria-describedby');
    }
  }, [isWrong, id]);
  return (
    <div class={isWrong ? 'at-field wrong' : 'at-field'} ref={room}>
      {children}
      {isWrong && (
        <p class="fault" id={id}>
          {messages.join('; ')}
        </p>
      )}
    </div>
  );
};
