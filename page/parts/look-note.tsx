/** Says why nothing is shown yet, or that what is shown is not fresh. */
import { isPassing, isWrongAddress } from '../client/problem';
import type { Look } from '../live/look';
import { ProblemNote } from './problem-note';
import { Since } from './times';
import { WayBack } from './link-to-sessions';

export const LookNote = ({ look }: { readonly look: Look<unknown> }) => {
  const [seen, problem] = [look.seen.value, look.problem.value];
  if (problem === undefined) return seen === undefined ? <p role="status">Looking…</p> : null;
  if (seen === undefined || !isPassing(problem)) {
    return (
      <>
        <ProblemNote error={problem} />
        {isWrongAddress(problem) && (
          <p>
            <WayBack />
          </p>
        )}
      </>
    );
  }
  return (
    <p class="note held" role="status">
      The API does not answer; this is what was seen <Since seconds={0} atMs={seen.atMs} /> ago.
    </p>
  );
};
