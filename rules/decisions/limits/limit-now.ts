/** A limit that holds something back, with its value and the first of those that count against it. */
import type { LimitNow } from '../../reasons/reason';
import type { Group } from '../fleet/fleet';

/** A session with many waiting instances names them with each. */
const mostNamed = 5;

export const limitNow = (max: number, occupied: number, names: Iterable<string>): LimitNow => ({
  max,
  occupied,
  occupiedBy: [...names].slice(0, mostNamed),
});

/** The same for a limit of a group. */
export const groupLimitNow = ({ keptBy }: Group, now: LimitNow): LimitNow =>
  keptBy.kind === 'cloud' ? { ...now, isOfCloud: true } : now;
