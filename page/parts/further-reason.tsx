/** The reason of a wait, where its words do not say it already, and what the decision knows that would help. */
import { furtherReason, type ReasonToTell } from '../../rules/reasons/in-words';
import { withShortIds } from '../../rules/words/names';
import { asSeen } from '../../rules/words/what-they-see';

export const FurtherReason = ({ wait }: { readonly wait: ReasonToTell }) => {
  const said = [furtherReason(wait) ?? '', wait.help ?? ''].filter((one) => one !== '');
  return said.length === 0 ? null : <span class="hint"> {withShortIds(asSeen(said.join('; '), 'page'))}</span>;
};
