/**
 * The blockers of a session, each with its owner, who can do something about it: those that the facts alone tell, and
 * those that the session has met in virtual time. Those that records tell are in api/services/plan-blockers.ts.
 */
import type { BlockerFacts } from './blocker-facts';
import { blockersAtEnd } from './blockers-at-end';
import { blockersOfHosts } from './blockers-of-hosts';
import { blockersOfInstances } from './blockers-of-instances';
import { blockersOfProjects } from './blockers-of-projects';
import { blockersOfSteering } from './blockers-of-steering';
import type { Blocker } from './plan';

export const blockersOf = (facts: BlockerFacts): readonly Blocker[] => [
  ...blockersAtEnd(facts),
  ...blockersOfSteering(facts),
  ...blockersOfInstances(facts),
  ...blockersOfHosts(facts),
  ...blockersOfProjects(facts),
];
