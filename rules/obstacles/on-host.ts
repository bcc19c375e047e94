/** The instances on a host by the detail of their session, and which of them move. */

export interface InstanceInDetail {
  readonly instance_id: string;
  readonly host: string;
  readonly state: string;
  /** null: nothing was decided for it. */
  readonly action: string | null;
  readonly action_done: boolean;
  /** The reason why its action did not succeed; null: it has not failed. */
  readonly details: string | null;
}

export interface DetailWithInstances<One extends InstanceInDetail> {
  readonly instances: readonly One[];
  readonly session: { readonly waiting: readonly { readonly who: string }[] };
}

export const instancesOn = <One extends InstanceInDetail>(
  { instances }: Pick<DetailWithInstances<One>, 'instances'>,
  hostname: string,
): readonly One[] => instances.filter(({ host, state }) => host === hostname && state !== 'DELETED');

/** True of an instance that has an action, and waits for nothing. */
export const isMoving = (
  { session }: Pick<DetailWithInstances<InstanceInDetail>, 'session'>,
  { instance_id: id, action, action_done: isDone, details }: InstanceInDetail,
): boolean => action !== null && !isDone && details === null && session.waiting.every(({ who }) => who !== id);

/** The numbers that say how a host stands (host-standing.ts). */
export const countsOn = (
  detail: DetailWithInstances<InstanceInDetail>,
  hostname: string,
): { readonly instances: number; readonly moving: number } => {
  const there = instancesOn(detail, hostname);
  return { instances: there.length, moving: there.filter((instance) => isMoving(detail, instance)).length };
};
