/** A problem as the API tells it, in words for people who see this page: what is wrong, where, and what would help. */
import { asSeen, fieldAsSeen } from '../../rules/words/what-they-see';
import { NoAnswer, Refusal } from '../client/problem';

export const ProblemNote = ({ error }: { readonly error: unknown }) => {
  if (error === undefined) return null;
  return (
    <div class="note bad" role="alert">
      <Words error={error} />
    </div>
  );
};

const Words = ({ error }: { readonly error: unknown }) => {
  if (error instanceof NoAnswer) {
    return <p>The API does not answer. What was asked may have happened: look before you ask again.</p>;
  }
  if (!(error instanceof Refusal)) return <p>{error instanceof Error ? error.message : String(error)}</p>;
  const { detail, hint, errors, code } = error.problem;
  // A refusal because of a state names it in its detail already.
  const faults = errors.filter(({ message }) => !detail.includes(message.replace(/^must be /, '')));
  return (
    <>
      <p>
        <strong>{asSeen(detail, 'page')}</strong>
      </p>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <strong>{fieldAsSeen(pointer, 'page')}</strong> {message}
            </li>
          ))}
        </ul>
      )}
      {hint !== '' && <p>{asSeen(hint, 'page')}</p>}
      <p class="hint">{code}</p>
    </>
  );
};
