import type { Cluster } from '../../../../clouds/kubernetes/cache/cluster';
import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { createWhatIsOn } from '../../../../clouds/kubernetes/content/what-is-on';
import type { VolumeAttachment } from '../../../../clouds/kubernetes/objects/others';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { aCluster, aNode, anOwner, aPod } from '../../../builders/a-kubernetes-object';

const attachment = (volume: string, nodeName = 'node-1'): VolumeAttachment => ({
  metadata: { name: `attachment-${volume}`, uid: `uid-of-${volume}` },
  spec: { attacher: 'csi.example.org', nodeName, source: { persistentVolumeName: volume } },
});

const podWithVolume = aPod({ spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'claim-a' } }] } });

const podWithOwnVolume = aPod({
  metadata: { name: 'claim', ...anOwner('DaemonSet') },
  spec: { volumes: [{ name: 'a', ephemeral: {} }] },
});

/** Looks at node-1 at given times of a clock, while it has these pods and attachments. */
const aWatchedNode = (detachSeconds: number) => {
  let now = { seconds: 0, pods: [] as readonly Pod[], attached: [] as readonly VolumeAttachment[] };
  const client = {
    get: () => Promise.resolve(aNode()),
    list: ({ kind }: { kind: string }) =>
      Promise.resolve({ items: kind === 'VolumeAttachment' ? now.attached : [], resourceVersion: '1' }),
  } as unknown as KubernetesClient;
  const cluster: Cluster = { ...aCluster({}), ready: () => Promise.resolve() };
  cluster.volumeClaims.put({
    metadata: { name: 'claim-a', namespace: 'web', uid: 'uid-c', resourceVersion: '1' },
    spec: { volumeName: 'a' },
  });
  const whatIsOn = createWhatIsOn({
    ...{ client, cluster, detachSeconds },
    othersAtWork: () => Promise.resolve([]),
    listPods: () => Promise.resolve(now.pods),
    instancesFrom: () => [],
    nowMs: () => now.seconds * 1000,
  });
  return async (seconds: number, { pods = [], attached }: { pods?: Pod[]; attached: VolumeAttachment[] }) => {
    now = { seconds, pods, attached };
    return (await whatIsOn('node-1')).doubts.map(({ because }) => because.split(' ').slice(0, 2).join(' '));
  };
};

it('a volume that no pod of the host uses is waited for, until its time is over', async () => {
  const look = aWatchedNode(60);
  const attached = [attachment('a'), attachment('b', 'node-2')];
  await expect(look(0, { attached })).resolves.toEqual(['volume a']);
  await expect(look(59, { attached })).resolves.toEqual(['volume a']);
  await expect(look(60, { attached })).resolves.toEqual([]);
});

it('a volume that was made for a pod of the host is used by it', async () => {
  const look = aWatchedNode(60);
  await expect(look(0, { pods: [podWithOwnVolume], attached: [attachment('a')] })).resolves.toEqual([]);
});

it.each([
  { what: 'was used again', between: { pods: [podWithVolume], attached: [attachment('a')] } },
  { what: 'was detached', between: { attached: [] } },
])('its time begins anew after it $what', async ({ between }) => {
  const look = aWatchedNode(60);
  await look(0, { attached: [attachment('a')] });
  await expect(look(90, between)).resolves.toEqual([]);
  await expect(look(100, { attached: [attachment('a')] })).resolves.toEqual(['volume a']);
});
