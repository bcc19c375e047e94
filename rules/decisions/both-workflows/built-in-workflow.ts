/** The ways in which workflows go through their rolling states, named after the built-in workflows that have them. */

export const waysOfRolling = ['default', 'vnf'] as const;
export type WayOfRolling = (typeof waysOfRolling)[number];

/** True when every instance has its own question, under a claim. False when projects are asked about a whole host. */
export const asksInstances = ({ workflow, rolling }: RollingSession): boolean => (rolling ?? workflow) === 'vnf';

/**
 * The share of a group without constraints that a session may impact at once: when projects are asked about whole
 * hosts, no more than one member (default-impact.ts).
 *
 * @param share used when instances are asked about one by one
 */
export const impactShareIn = (session: RollingSession, share: number): number => (asksInstances(session) ? share : 0);

export interface RollingSession {
  readonly workflow: string;
  /** Built-in workflow in whose way a workflow works that is not built in itself; else null. */
  readonly rolling: string | null;
}
