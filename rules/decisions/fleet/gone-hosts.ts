/**
 * Sorts out hosts that have left their cloud for good, where hosts do that (`CloudLists.hostsLeave`). A session is done
 * with them, and nothing has failed. Work that is in flight on such a host comes to its end first.
 */
import { notListed } from '../../words/failure-of-host';
import { isDone } from './host-work';
import type { OwnedHost } from './set-aside-or-fail';

/** The reason that is shown of such a host. */
export const whyGone = `${notListed}: it was removed`;

export interface ByWhatIsListed {
  /** The session is done with them. */
  readonly gone: readonly string[];
  /** The cloud does not list them, and there is still work on them: nobody knows yet whether they come back. */
  readonly away: readonly string[];
  readonly others: readonly OwnedHost[];
}

/** For a cloud whose operator brings back a host that is missing. */
export const noneLeaves = (own: readonly OwnedHost[]): ByWhatIsListed => ({ gone: [], away: [], others: own });

export const sortByWhatIsListed = (own: readonly OwnedHost[]): ByWhatIsListed => {
  const [others, unlisted] = [own.filter((host) => !isMissing(host)), own.filter(isMissing)];
  const [gone, away] = [unlisted.filter(isToBeLeft), unlisted.filter((host) => !isToBeLeft(host))];
  return { gone: gone.map(({ name }) => name), away: away.map(({ name }) => name), others };
};

const isMissing = ({ isListed, work }: OwnedHost): boolean => !isListed && !isDone(work);

/** A host in maintenance may be away for a while, and one that is given back ends that first. */
const isToBeLeft = ({ work: { phase } }: OwnedHost): boolean =>
  phase === 'waiting' || phase === 'emptying' || phase === 'failed';
