/**
 * Remembers for a while to which projects instances and groups belong in the cloud, since managers store the
 * constraints of the same ones again and again, and a cloud is slow beside a database. An instance or a group never
 * changes its project, so the time limit only matters for deleted ones. The cloud is asked again each time for what it
 * does not know.
 */
import { createShortMemory } from '../../calls/short-memory';
import type { CloudDriver } from '../../clouds/cloud-driver';
import { type Id, type IdKey, idOf } from '../../rules/cloud/id';
import { askCloud } from './ask-cloud';

export interface KnownOwners {
  /** Undefined: the cloud does not know the instance. @throws ApiError 503 */
  ofInstance(instanceId: Id): Promise<Id | undefined>;
  /** The owners of those groups that the cloud knows. It is asked once for all of them. @throws ApiError 503 */
  ofGroups(groupIds: readonly Id[]): Promise<ReadonlyMap<IdKey, Id>>;
}

const rememberedMs = 60_000;
/** The number of owners that are remembered of each kind. Above it, the oldest are forgotten. */
const mostRemembered = 50_000;

/** @param nowMs a clock in milliseconds */
export const rememberOwners = (cloud: CloudDriver, nowMs: () => number = () => performance.now()): KnownOwners => {
  const instances = createShortMemory<IdKey, Id>(mostRemembered, nowMs);
  const groups = createShortMemory<IdKey, Id>(mostRemembered, nowMs);
  const untilMs = () => nowMs() + rememberedMs;
  return {
    async ofInstance(instanceId) {
      const known = instances.find(instanceId.key);
      if (known !== undefined) return known;
      const found = await askCloud(cloud, (asked) => asked.findInstance(instanceId.text));
      if (found !== undefined) instances.keep(instanceId.key, idOf(found.projectId), untilMs());
      return found && idOf(found.projectId);
    },
    async ofGroups(groupIds) {
      const known = new Map<IdKey, Id>();
      for (const { key } of groupIds) {
        const owner = groups.find(key);
        if (owner !== undefined) known.set(key, owner);
      }
      if (groupIds.every(({ key }) => known.has(key))) return known;
      const listed = await askCloud(cloud, (asked) => asked.listGroups());
      const all = new Map(listed.map((group) => [idOf(group.groupId).key, idOf(group.projectId)]));
      for (const [key, owner] of all) if (groups.find(key) === undefined) groups.keep(key, owner, untilMs());
      // The list answers here: the memory may have forgotten it again.
      const asked = new Set(groupIds.map(({ key }) => key));
      return new Map([...all].filter(([key]) => asked.has(key)));
    },
  };
};
