/** What orders of hosts are compared by once the rest of a session was played. */
import { lateEnd } from './late-end';

/** What became of an order in a play. */
export interface Played {
  /** Seconds after which each host came back, in any order. */
  readonly returnsSeconds: readonly number[];
  /** Maintaining those that could not be opened at all, one after the other. */
  readonly stuckSeconds: number;
  /** Hosts that wait when the play begins, at least 1. */
  readonly waitingHosts: number;
  /** Moves to hosts that are emptied later, for each instance of the cloud: these move again. */
  readonly movesAgain: number;
}

/**
 * Of two orders that end at the same time, the one whose hosts come back earlier, or with fewer moves, is a little
 * better.
 */
const littleWeight = 1e-2;

/**
 * A third of the instances is what the first of three rounds moves again. An order that moves one in ten beyond that
 * has to end a tenth earlier to be as good.
 */
const usualMovesAgain = 0.33;

/** In seconds: about when the last host is back, longer where that costs other things. */
export function playCost({ returnsSeconds, stuckSeconds, waitingHosts, movesAgain }: Played): number {
  const endSeconds = lateEnd(returnsSeconds);
  const meanReturnSeconds = returnsSeconds.reduce((sum, seconds) => sum + seconds, 0) / waitingHosts;
  const little = littleWeight * (meanReturnSeconds + endSeconds * movesAgain);
  const further = endSeconds * Math.max(0, movesAgain - usualMovesAgain);
  return endSeconds + stuckSeconds + little + further;
}
