/** The pods of several workloads that want the same port of a node: no node takes two of them. */
import type { CloudGroup } from '../../../rules/cloud/cloud-facts';
import type { Cluster } from '../cache/cluster';
import { areInConflict, type HostPort, hostPortsOf, hostPortWords } from '../objects/host-ports';
import { type Pod, uidOf } from '../objects/pods';
import { projectOf } from './list-instances';

/** @param workloadOf the UID of its workload; pods of one alone are kept apart by the group of that workload */
export const groupsOfHostPorts = (
  cluster: Cluster,
  workloadOf: (pod: Pod) => string | undefined,
): readonly CloudGroup[] => {
  const wanted = [...cluster.pods.all()].filter(cluster.isInstance).flatMap((pod) => {
    const ports = hostPortsOf(pod);
    return ports.length === 0 ? [] : [{ pod, ports }];
  });
  return portsAmong(wanted.flatMap(({ ports }) => ports)).flatMap((port) => {
    const members = wanted.filter(({ ports }) => ports.some((one) => areInConflict(one, port))).map(({ pod }) => pod);
    const [first] = members;
    const workloads = new Set(members.map((pod) => workloadOf(pod) ?? uidOf(pod)));
    if (first === undefined || workloads.size < 2) return [];
    return [
      {
        groupId: `host port ${hostPortWords(port)}`,
        groupName: hostPortWords(port),
        kind: 'host port',
        projectId: projectOf(cluster, first.metadata.namespace ?? ''),
        antiAffinity: true,
        maxInstancesPerHost: 1,
        instanceIds: members.map(uidOf),
      },
    ];
  });
};

/** Each once. One on all addresses is left out beside one on an address, whose conflicts include it. */
const portsAmong = (all: readonly HostPort[]): readonly HostPort[] => {
  const each = [...new Map(all.map((port) => [hostPortWords(port), port])).values()];
  return each.filter((port) => port.address !== undefined || !each.some((one) => isOnAddress(one, port)));
};

const isOnAddress = (one: HostPort, port: HostPort): boolean => one.address !== undefined && areInConflict(one, port);
