/**
 * The built-in workflows. Each workflow of a package works on hosts like one of them, which its field `rolling` names.
 */

export const builtInWorkflows = ['default', 'vnf'] as const;
export type BuiltInWorkflow = (typeof builtInWorkflows)[number];

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
  /** The built-in workflow like which a workflow of a package works on hosts; null: it is built in itself. */
  readonly rolling: string | null;
}
