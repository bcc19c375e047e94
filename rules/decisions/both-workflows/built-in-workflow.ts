/**
 * The built-in workflows. Each workflow of a package works on hosts like one of them, which its field `rolling` names.
 */

export const builtInWorkflows = ['default', 'vnf', 'k8s'] as const;
export type BuiltInWorkflow = (typeof builtInWorkflows)[number];

/** The built-in workflow like which the session works on hosts. */
export const worksLike = ({ workflow, rolling }: RollingSession): BuiltInWorkflow =>
  builtInWorkflows.find((name) => name === (rolling ?? workflow)) ?? 'default';

/** True when every instance has its own question, under a claim. False when projects are asked about a whole host. */
export const asksInstances = (session: RollingSession): boolean => worksLike(session) !== 'default';

/** True when instances are moved without a question unless their projects want to be asked. */
export const asksOnlyTheWilling = (session: RollingSession): boolean => worksLike(session) === 'k8s';

/** What `k8s` does in another way than `vnf`, with the same decisions. */
export interface RollingChoices {
  /**
   * Hosts with the fewest instances are drained first: the cloud may put what leaves them on hosts that are still to be
   * drained, which the fewer of these there are happens the less. Left out: by a forecast of the time.
   */
  readonly drainsFewestFirst?: true;
  /**
   * Beside others a host is drained only where one of its instances may leave now, and only few hosts at once where
   * instances go to hosts that are drained later: a disabled host that cannot be emptied only has the cloud put more on
   * these, and all of that is moved twice. Left out: wherever the instances find places.
   */
  readonly sparesSecondMoves?: true;
}

export const choicesOf = (session: RollingSession): RollingChoices =>
  worksLike(session) === 'k8s' ? { drainsFewestFirst: true, sparesSecondMoves: true } : {};

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

/** The limits on hosts under work at once, by field and name. A workflow that empties one host at a time has none. */
export const limitsAtOnce = [
  ['maxParallelHosts', 'max_parallel_hosts'],
  ['maxParallelPer', 'max_parallel_per'],
  ['oneDomainAtATime', 'one_domain_at_a_time'],
] as const;
