/** The reason of a wait, where its words do not say it already. */
import { furtherReason, type WaitToTell } from '../../rules/obstacles/waits';

export const FurtherReason = ({ wait }: { readonly wait: WaitToTell }) => {
  const reason = furtherReason(wait);
  return reason === undefined ? null : <span class="hint"> {reason}</span>;
};
