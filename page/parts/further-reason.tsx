/** The reason of a wait, where its words do not say it already. */
import { furtherReason, type ReasonToTell } from '../../rules/reasons/in-words';

export const FurtherReason = ({ wait }: { readonly wait: ReasonToTell }) => {
  const reason = furtherReason(wait);
  return reason === undefined ? null : <span class="hint"> {reason}</span>;
};
