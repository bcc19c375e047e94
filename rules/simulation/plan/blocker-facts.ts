/** The blockers of a plan are found from these. Their words: rules/obstacles/blockers.ts. */
import type { Fleet } from '../../decisions/fleet/fleet';
import type { Ending, PassedPause } from '../session-to-play';
import type { HostLeftOut } from '../virtual-hosts';
import type { PlanInput } from './plan';
import type { Course } from './read-course';

export interface BlockerFacts {
  readonly input: PlanInput;
  /** The fleet at the beginning, with the default impact. */
  readonly fleet: Fleet;
  readonly ending: Ending;
  readonly course: Pick<Course, 'moves'>;
  /** The time when the session begins to work on hosts. */
  readonly beginsAtMs: number;
  /** The time when the session has come to its end, or stopped. */
  readonly endsAtMs: number;
  /** The fleet at that time. */
  readonly fleetAtEnd: Fleet;
  /** Hosts that the session goes on without. */
  readonly leftOut: readonly HostLeftOut[];
  /** Pauses that the plan passes over. */
  readonly pauses: readonly PassedPause[];
}
