/** The ways in which workflows go through their rolling states, by the built-in workflows that have them. */

export const waysOfRolling = ['default', 'vnf'] as const;
export type WayOfRolling = (typeof waysOfRolling)[number];

/** Whether every instance is asked its own question, under a claim; else projects are asked as a whole about a host. */
export const asksInstances = ({ workflow, rolling }: RollingSession): boolean => (rolling ?? workflow) === 'vnf';

/**
 * Of a group without constraints that a session may impact at once: where projects are asked about whole hosts, no more
 * than one member (default-impact.ts).
 *
 * @param share where instances are asked one by one
 */
export const impactShareIn = (session: RollingSession, share: number): number => (asksInstances(session) ? share : 0);

export interface RollingSession {
  readonly workflow: string;
  /** Of a workflow that is not built in. */
  readonly rolling: string | null;
}
