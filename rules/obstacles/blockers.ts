/**
 * Everything that may stand in the way of a session, now or later: who can do something about it, why, and what would
 * help. Plan and summary find the facts, and say them in these words. A kind is added to one of the files of `kinds/`,
 * and to the table of its test. See also rules/reasons/: what a host, an instance or a session waits for.
 */
import { type BlockerWords, severities } from './blocker';
import { hostBlockers } from './kinds/host-blockers';
import { projectBlockers } from './kinds/project-blockers';
import { sessionBlockers } from './kinds/session-blockers';

const kinds = { ...hostBlockers, ...projectBlockers, ...sessionBlockers };

export type BlockerKind = keyof typeof kinds;

type FactsOf = { readonly [Kind in BlockerKind]: Parameters<(typeof kinds)[Kind]>[0] };

const bodies: { readonly [Kind in BlockerKind]: (facts: FactsOf[Kind]) => BlockerWords } = kinds;

export interface Blocker extends BlockerWords {
  readonly kind: BlockerKind;
}

const isBlockerKind = (kind: string): kind is BlockerKind => Object.hasOwn(kinds, kind);

export const blockerKinds: readonly BlockerKind[] = Object.keys(kinds).filter(isBlockerKind).sort();

export const blocker = <Kind extends BlockerKind>(kind: Kind, facts: FactsOf[Kind]): Blocker => ({
  kind,
  ...bodies[kind](facts),
});

/** undefined: the session still works on the host, or has maintained it. */
export const kindOfLeftBehind = (phase: string): 'host_left_out' | 'host_failed' | undefined => {
  if (phase === 'skipped') return 'host_left_out';
  return phase === 'failed' || phase === 'set_aside' ? 'host_failed' : undefined;
};

/** The gravest first. */
export const byGravity = (one: Blocker, other: Blocker): number =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity);
