/**
 * Answers what is on a host by fresh reads: its pods, the volumes that are still attached to it, and who else is at
 * work on it. A node whose pods are gone is not empty while its volumes are attached: a reboot now could damage them,
 * and their next pods would wait for them elsewhere.
 */
import type { CloudInstance, HostContent } from '../../../rules/cloud/cloud-facts';
import { type HostDoubt, nothingKnown } from '../../../rules/cloud/host-findings';
import type { Cluster } from '../cache/cluster';
import type { KubernetesClient } from '../client/kubernetes-client';
import { listIfAllowed } from '../client/list-if-allowed';
import { nodes } from '../objects/nodes';
import { type VolumeAttachment, volumeAttachments } from '../objects/others';
import { hasEnded, type Pod, uidOf } from '../objects/pods';
import type { OthersAtWork } from './others-at-work';

export interface NodeContentSources {
  readonly client: KubernetesClient;
  readonly cluster: Cluster;
  readonly listPods: (node: string) => Promise<readonly Pod[]>;
  readonly instancesFrom: (pods: readonly Pod[]) => CloudInstance[];
  /** A volume that no pod of the node uses is waited for this long. */
  readonly detachSeconds: number;
  readonly othersAtWork: OthersAtWork;
  readonly nowMs?: () => number;
}

export const createWhatIsOn = (sources: NodeContentSources) => {
  const { client, cluster, listPods, instancesFrom, othersAtWork } = sources;
  const waitedFor = createPatience(sources);
  return async (host: string): Promise<HostContent> => {
    await cluster.ready();
    const [node, pods, attachments] = await Promise.all([
      client.get(nodes, { name: host }),
      listPods(host),
      listIfAllowed(client, volumeAttachments),
    ]);
    if (node === undefined) return { instances: [], doubts: [nothingKnown(host, 'the cluster has no such node')] };
    const used = new Set(pods.filter((pod) => !hasEnded(pod)).flatMap((pod) => volumesOf(cluster, pod)));
    const unused = attachments.filter(
      ({ spec }) => spec.nodeName === host && !used.has(spec.source.persistentVolumeName ?? ''),
    );
    const doubts = [...(await othersAtWork(node)), ...waitedFor(host, unused).map(doubtAbout)];
    return { instances: instancesFrom(pods), doubts };
  };
};

/** The persistent volumes of a pod, by name. */
const volumesOf = (cluster: Cluster, { metadata: { name: pod, namespace }, spec }: Pod): readonly string[] =>
  (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral && `${pod}-${name}`);
    return (claim && cluster.volumeClaims.byName(claim, namespace)?.spec.volumeName) ?? [];
  });

/**
 * Selects the volumes that are waited for. The time counts from the look of this process since which no pod of the host
 * uses the volume.
 */
const createPatience = ({ detachSeconds, nowMs = Date.now }: NodeContentSources) => {
  const unusedSince = new Map<string, ReadonlyMap<string, number>>();
  return (host: string, unused: readonly VolumeAttachment[]): readonly VolumeAttachment[] => {
    const now = nowMs();
    const before = unusedSince.get(host);
    const since = new Map(unused.map((each) => [uidOf(each), before?.get(uidOf(each)) ?? now]));
    if (since.size > 0) unusedSince.set(host, since);
    else unusedSince.delete(host);
    return unused.filter((each) => now - (since.get(uidOf(each)) ?? now) < detachSeconds * 1000);
  };
};

const doubtAbout = ({ metadata: { name, uid = '' }, spec }: VolumeAttachment): HostDoubt => ({
  owner: 'operator',
  because:
    `volume ${spec.source.persistentVolumeName ?? 'without a name'} is still attached to host ${spec.nodeName} ` +
    `(VolumeAttachment ${name}, ${uid}), and no pod there uses it`,
  help: `wait until ${spec.attacher} detaches it; if that never ends, look at the log of that driver`,
});
