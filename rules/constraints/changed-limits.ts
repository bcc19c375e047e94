/**
 * Decides whether a change of constraints can matter to an admission that was decided without it: to its instance, to a
 * limit that counts it, or to who is a member. A group counts only instances of its own project, so a change of another
 * project matters only where it names the same instance or limit.
 */
import { keyOf } from '../cloud/id';
import type { Limited } from '../decisions/fleet/fleet';
import { limitKeysOf } from '../decisions/fleet/limit-keys';

/** One side of a change: what was stored, or what is stored now. */
export interface LimitChange {
  /** Null: the constraints of a group. */
  readonly instanceKey: string | null;
  readonly projectKey: string;
  readonly groupKey: string;
}

export interface LimitedAdmission extends Limited {
  readonly instanceId: string;
  /** The project of the instance in the cloud. */
  readonly projectId: string;
}

export const mattersTo = (
  { instanceKey, projectKey, groupKey }: LimitChange,
  { instanceId, projectId, ...limited }: LimitedAdmission,
): boolean =>
  projectKey === keyOf(projectId) ||
  instanceKey === keyOf(instanceId) ||
  limitKeysOf(limited).some((key) => key === groupKey || key.endsWith(`/${groupKey}`));

/** True when any of the changes matters to any of the admissions, so that they have to be decided anew. */
export const areOutdated = (admissions: readonly LimitedAdmission[], changes: readonly LimitChange[]): boolean =>
  changes.some((change) => admissions.some((admission) => mattersTo(change, admission)));
