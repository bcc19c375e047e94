/** Notes the instances on a host that refused one: the host is not tried again before these instances have changed. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { type Database, databaseNow, type Transaction } from '../../prisma/database';
import { findHostOwner } from '../../prisma/hosts/session-hosts';
import type { ActionEnd } from '../../prisma/moves/claim-end';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { refusalClassOf, thereOn } from '../../rules/decisions/limits/refusals';
import { withWork } from '../../snapshot/read-fleet';

type RefusalOfTarget = NonNullable<ActionEnd['refusal']>;

/**
 * Reads the cloud before any lock, and the records in the transaction in which the returned function is called.
 * Undefined when the cloud no longer lists the host, which is no target then anyway, or the instance.
 */
export const lookAtRefusal = async (
  { cloud, db }: { readonly cloud: CloudDriver; readonly db: Database },
  { instanceId, target }: Pick<ClaimRecord, 'instanceId' | 'target'>,
): Promise<(tx: Transaction, passesInSeconds?: number) => Promise<RefusalOfTarget | undefined>> => {
  const takenAt = await databaseNow(db);
  const [hosts, instances, refused] = await Promise.all([
    cloud.listHosts(),
    cloud.listInstances(target),
    cloud.findInstance(instanceId),
  ]);
  const listed = hosts.filter(({ name }) => name === target);
  return async (tx, passesInSeconds) => {
    const owner = await findHostOwner(tx, target);
    const [host] = withWork({ hosts: listed, takenAt, startingUntil: new Map() }, owner === null ? [] : [owner]);
    if (!host || !refused) return undefined;
    return {
      refusalClass: refusalClassOf(refused),
      hostThere: thereOn(host),
      instancesThere: instances.map((one) => one.instanceId),
      ...(passesInSeconds !== undefined && { passesInSeconds }),
    };
  };
};
