/**
 * The moves of a session as its plan foretells them (rules/simulation/plan): the parts that tell a project when it is
 * the turn of its instances. api/services/planned-ends.ts keeps them; coming.ts says what they mean for each instance.
 */
import type { Action } from '../decisions/fleet/fleet';
import type { Plan, Range } from '../simulation/plan/plan';

export interface ForetoldMove {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly action: Action;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Foretold {
  /** The moment of the facts from which the plan was made. */
  readonly seenAtMs: number;
  /** The time when the session begins to work on hosts. */
  readonly beginsAtMs: number;
  /** Left out: the session would not come to its end. */
  readonly endsAtMs?: Range;
  /** In the order of their starts. */
  readonly moves: readonly ForetoldMove[];
}

/** A plan of a large session has thousands of moves, so only these parts of them are kept. */
export const foretoldBy = (
  { beginsAtMs, endsAtMs, moves }: Pick<Plan, 'beginsAtMs' | 'endsAtMs' | 'moves'>,
  seenAtMs: number,
): Foretold => ({
  seenAtMs,
  beginsAtMs,
  ...(endsAtMs && { endsAtMs }),
  moves: moves
    .map(({ instanceId, instanceName, projectId, action, span: { fromMs, toMs } }) => ({
      ...{ instanceId, instanceName, projectId, action, fromMs, toMs },
    }))
    .toSorted((one, other) => one.fromMs - other.fromMs),
});

/**
 * The range of a move's start. A plan knows the range of its end alone, so what comes before is stretched like the
 * whole: if all takes twice as long, the move starts after twice the time.
 *
 * @param notBeforeMs nothing starts before that time, such as now
 */
export const startOf = ({ seenAtMs, beginsAtMs, endsAtMs }: Foretold, fromMs: number, notBeforeMs: number): Range => {
  const baseMs = Math.max(seenAtMs, beginsAtMs);
  const wholeMs = (endsAtMs?.expected ?? baseMs) - baseMs;
  const stretched = (endMs: number | undefined): number => {
    const share = endMs === undefined || wholeMs <= 0 ? 1 : Math.max(0, endMs - baseMs) / wholeMs;
    const startMs = fromMs <= baseMs ? fromMs : baseMs + (fromMs - baseMs) * share;
    return Math.max(notBeforeMs, Math.round(startMs));
  };
  return {
    earliest: stretched(endsAtMs?.earliest),
    expected: stretched(endsAtMs?.expected),
    latest: stretched(endsAtMs?.latest),
  };
};
