/** A problem in the words of the API: what is wrong, where, and what would help. */
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
  return (
    <>
      <p>
        <strong>{detail}</strong>
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ pointer, message }) => (
            <li key={pointer}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {hint !== '' && <p>{hint}</p>}
      <p class="hint">{code}</p>
    </>
  );
};
