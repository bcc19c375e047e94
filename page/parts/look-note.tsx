/** Says why nothing is shown yet, or that what is shown is not fresh. */
import { isPassing, isWrongAddress } from '../client/problem';
import type { Look } from '../live/look';
import { LinkToSessions } from './link-to-sessions';
import { ProblemNote } from './problem-note';
import { Since } from './times';

export const LookNote = ({ look }: { readonly look: Look<unknown> }) => {
  const [seen, problem] = [look.seen.value, look.problem.value];
  if (problem === undefined) return seen === undefined ? <p role="status">Looking…</p> : null;
  if (seen === undefined || !isPassing(problem)) {
    return (
      <>
        <ProblemNote error={problem} />
        {isWrongAddress(problem) && (
          <p>
            <LinkToSessions />
          </p>
        )}
      </>
    );
  }
  return (
    <p class="note">
      The API does not answer; this is what was seen <Since seconds={0} atMs={seen.atMs} /> ago.
    </p>
  );
};
