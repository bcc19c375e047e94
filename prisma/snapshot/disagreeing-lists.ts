/**
 * Holds the lists of a cloud against each other for hosts that are to be drained: plans rest on the list of all
 * instances.
 */
import type { CloudHost, CloudLists } from '../../rules/cloud/cloud-facts';
import { unlistedAmong, whyUnlisted } from '../../rules/cloud/unlisted';
import type { CloudSnapshot } from './look-at-cloud';

/** Each costs the cloud a request. */
const mostHosts = 20;

/** The snapshot, in which nobody knows what is on the hosts about which the cloud's lists disagree. */
export const withDisagreements = async (
  cloud: Pick<CloudLists, 'listInstances'>,
  snapshot: CloudSnapshot,
  toDrain: readonly string[],
): Promise<CloudSnapshot> => {
  const whys = await Promise.all(
    toDrain.slice(0, mostHosts).map(async (name) => [name, await whyDisagreed(cloud, snapshot, name)] as const),
  );
  const why = new Map(whys.flatMap(([name, because]) => (because === undefined ? [] : [[name, because] as const])));
  if (why.size === 0) return snapshot;
  return { ...snapshot, hosts: snapshot.hosts.map((host) => unknownSince(host, why.get(host.name))) };
};

const unknownSince = (host: CloudHost, because: string | undefined): CloudHost =>
  because === undefined ? host : { contentUnknown: because, ...host };

/** An instance may have come since the first list was read, so that list is read again before it is taken for wrong. */
const whyDisagreed = async (
  cloud: Pick<CloudLists, 'listInstances'>,
  { instances }: Pick<CloudSnapshot, 'instances'>,
  name: string,
): Promise<string | undefined> => {
  const onHost = await cloud.listInstances(name).catch(() => []); // the snapshot says why nobody knows
  if (unlistedAmong(onHost, instances).length === 0) return undefined;
  const [unlisted] = unlistedAmong(onHost, await cloud.listInstances());
  return unlisted && whyUnlisted(unlisted);
};
