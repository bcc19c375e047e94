/** Lists what a create request can name: the hosts of the cloud, and the plug-ins of this version. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findOwnedHosts } from '../../prisma/session/sessions';
import { compareText } from '../../rules/decisions/fleet/ordered';
import type { ChoicesBody } from '../schemas/choice-schemas';
import { askCloud } from './ask-cloud';
import type { KnownNames } from './check-names';

export interface ChoicesDeps extends KnownNames {
  readonly db: Database;
  readonly cloud: CloudDriver;
}

/**
 * @param countsInstances false where they are not needed: a large cloud takes a while to list all its instances
 * @throws ApiError 503 when the cloud does not answer
 */
export const findChoices = async (
  { db, cloud, workflows, actionPlugins }: ChoicesDeps,
  countsInstances: boolean,
): Promise<ChoicesBody> => {
  const [listed, instancesOn] = await askCloud(cloud, (asked) =>
    Promise.all([asked.listHosts(), countsInstances ? countInstances(asked) : undefined]),
  );
  const sessionOf = new Map((await findOwnedHosts(db)).map(({ hostname, sessionId }) => [hostname, sessionId]));
  return {
    hosts: listed
      .map((host) => ({
        hostname: host.name,
        type: host.type,
        session_id: sessionOf.get(host.name) ?? null,
        zone: host.labels?.['zone'] ?? null,
        labels: { ...host.labels },
        disabled: !host.enabled,
        disabled_because: host.disabledReason ?? null,
        instance_count:
          instancesOn === undefined || host.contentUnknown !== undefined ? null : (instancesOn.get(host.name) ?? 0),
        seems_gone: host.seemsGone ?? null,
      }))
      .sort((one, other) => compareText(one.hostname, other.hostname)),
    workflows: [...workflows.keys()],
    action_plugins: [...actionPlugins],
  };
};

const countInstances = async (cloud: CloudDriver): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  for (const { host } of await cloud.listInstances()) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
};
