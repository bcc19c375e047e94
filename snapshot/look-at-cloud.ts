/** A look at the cloud, on which decisions rest. What has happened since is added from the records (read-fleet.ts). */
import { type Database, databaseNow } from '../prisma/database';
import type {
  CloudActions,
  CloudGroup,
  CloudHost,
  CloudInstance,
  CloudLists,
  MissingRight,
} from '../rules/cloud/cloud-facts';
import { type Misfit, misfitsAmong } from '../rules/cloud/misfits';
import type { Refusal } from '../rules/decisions/fleet/fleet';
import { findNotOffered } from './not-offered';

/** The hosts and instances that the cloud listed, and the time since when they are known. */
export interface CloudSnapshot {
  readonly takenAt: Date;
  readonly hosts: readonly CloudHost[];
  readonly instances: readonly CloudInstance[];
  readonly groups: readonly CloudGroup[];
  /** True when an instance lands where it is sent. */
  readonly choosesTarget: boolean;
  /** See `CloudLists.keepsLimits`. */
  readonly keepsLimits?: true | undefined;
  /** Classes of these instances and hosts that do not go together. */
  readonly misfits: readonly Misfit[];
  /** Hosts that the cloud does not offer to classes of these instances, whatever it lists. */
  readonly notOffered: readonly Refusal[];
  /** Rights that the service lacks. */
  readonly missingRights: readonly MissingRight[];
  /** Actions as the driver tells them. */
  readonly actions: CloudActions;
}

/** Taken before any lock: a cloud may be slow. What has happened since is added from the records (`loadFleet`). */
export const lookAtCloud = async (
  { cloud, db }: { readonly cloud: CloudLists; readonly db: Database },
  /** Nobody is asked for capacity, and nothing given up, for hosts as they were lately. */
  listing: 'listHosts' | 'listHostsLately' = 'listHosts',
  /** Names of hosts that no session has yet, and that are to be drained all the same. */
  toDrain: readonly string[] = [],
): Promise<CloudSnapshot> => {
  const takenAt = await databaseNow(db);
  const [hosts, instances, groups, choosesTarget, missingRights] = await Promise.all([
    cloud[listing](),
    cloud.listInstances(),
    cloud.listGroups(),
    cloud.choosesTarget(),
    cloud.missingRights(),
  ]);
  const misfits = misfitsAmong({ hosts, instances }, cloud);
  const notOffered = await findNotOffered({ cloud, db }, { takenAt, hosts, instances, misfits, toDrain });
  const known = { takenAt, hosts, instances, groups, choosesTarget, misfits, notOffered };
  return { ...known, keepsLimits: cloud.keepsLimits, missingRights, actions: cloud.actions };
};
