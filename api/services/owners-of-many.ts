/** Finds to which projects the instances and groups of a large request belong, with few requests to the cloud. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { type Id, type IdKey, idOf } from '../../rules/cloud/id';
import { askCloud } from './ask-cloud';
import type { KnownOwners } from './known-owners';

/** The number of instances up to which each is asked about; above it, one list of all costs the cloud less. */
const mostAskedSingly = 10;

interface CloudAndOwners {
  readonly cloud: CloudDriver;
  readonly owners: KnownOwners;
}

/** @returns the owners of those that the cloud knows @throws ApiError 503 */
export const ownersOfInstances = async (
  { cloud, owners }: CloudAndOwners,
  ids: readonly Id[],
): Promise<ReadonlyMap<IdKey, Id>> => {
  if (ids.length <= mostAskedSingly) return ownersBy(ids, (id) => owners.ofInstance(id));
  const listed = await askCloud(cloud, (asked) => asked.listInstances());
  return new Map(listed.map(({ instanceId, projectId }) => [idOf(instanceId).key, idOf(projectId)]));
};

/** @returns the owners of those that the cloud knows @throws ApiError 503 */
export const ownersOfGroups = ({ owners }: CloudAndOwners, ids: readonly Id[]): Promise<ReadonlyMap<IdKey, Id>> =>
  owners.ofGroups(ids);

const ownersBy = async (
  ids: readonly Id[],
  find: (id: Id) => Promise<Id | undefined>,
): Promise<ReadonlyMap<IdKey, Id>> => {
  const found = new Map<IdKey, Id>();
  for (const id of new Map(ids.map((one) => [one.key, one])).values()) {
    const owner = await find(id);
    if (owner !== undefined) found.set(id.key, owner);
  }
  return found;
};
