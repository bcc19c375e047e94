/** The behaviour of projects' managers when one of their instances is asked about. */
import type { Action } from '../../rules/decisions/fleet/fleet';
import { pick, type Random } from '../builders/random';

/**
 * prompt: answers within its window. silent: never. late: when its window is over. busy: refuses once, then answers.
 * refusing: always refuses. lying: answers with what was not offered, or says that it acts itself and does not.
 */
export const manners = ['prompt', 'silent', 'late', 'busy', 'refusing', 'lying'] as const;
export type Manner = (typeof manners)[number];

export interface Reaction {
  readonly afterMs: number;
  /** undefined: the reply says nothing that counts. */
  readonly answer?: 'ACK' | 'NACK';
  readonly action?: Action;
}

const offered: readonly Action[] = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'];

/** @param refusals how often this instance's manager refused before */
export const reactionOf = (
  manner: Manner,
  { windowMs, refusals }: { readonly windowMs: number; readonly refusals: number },
  random: Random,
): Reaction | undefined => {
  const afterMs = Math.floor(random() * windowMs);
  const acknowledged: Reaction = { afterMs, answer: 'ACK', action: pick(offered, random) };
  switch (manner) {
    case 'prompt':
      return acknowledged;
    case 'silent':
      return undefined;
    case 'late':
      return { ...acknowledged, afterMs: windowMs + 1 + afterMs };
    case 'busy':
      return refusals > 0 ? acknowledged : { afterMs, answer: 'NACK' };
    case 'refusing':
      return { afterMs, answer: 'NACK' };
    case 'lying':
      return random() < 0.5 ? { afterMs } : { ...acknowledged, action: 'OWN_ACTION' };
  }
};
