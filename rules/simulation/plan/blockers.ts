/**
 * The blockers of a session, each with its owner, who can do something about it: those that the facts alone tell, and
 * those that the session has met in virtual time. Those that records tell are in api/services/plan-blockers.ts.
 */
import type { Fleet } from '../../planning/fleet/fleet';
import type { Ending, PassedPause } from '../session-to-play';
import type { HostLeftOut } from '../virtual-hosts';
import { blockersAtEnd } from './blockers-at-end';
import { blockersOfHosts } from './blockers-of-hosts';
import { blockersOfInstances } from './blockers-of-instances';
import { blockersOfProjects } from './blockers-of-projects';
import { blockersOfSteering } from './blockers-of-steering';
import type { Blocker, PlanInput } from './plan';

export interface BlockerFacts {
  readonly input: PlanInput;
  /** At the beginning, with the default impact. */
  readonly fleet: Fleet;
  readonly ending: Ending;
  /** The time when the session begins to work on hosts. */
  readonly beginsAtMs: number;
  /** The time when the session has come to its end, or stopped. */
  readonly fleetAtEnd: Fleet;
  /** Hosts that the session goes on without. */
  readonly leftOut: readonly HostLeftOut[];
  /** Pauses that the plan passes over. */
  readonly pauses: readonly PassedPause[];
}

export const blockersOf = (facts: BlockerFacts): readonly Blocker[] => [
  ...blockersAtEnd(facts),
  ...blockersOfSteering(facts),
  ...blockersOfInstances(facts),
  ...blockersOfHosts(facts),
  ...blockersOfProjects(facts),
];
