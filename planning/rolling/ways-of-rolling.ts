/** The ways in which workflows go through their rolling states, by the built-in workflows that have them. */

export const waysOfRolling = ['default', 'vnf'] as const;
export type WayOfRolling = (typeof waysOfRolling)[number];

/** Whether every instance is asked its own question, under a claim; else projects are asked as a whole about a host. */
export const asksInstances = ({ workflow, rolling }: RollingSession): boolean => (rolling ?? workflow) === 'vnf';

interface RollingSession {
  readonly workflow: string;
  /** Of a workflow that is not built in. */
  readonly rolling: string | null;
}
