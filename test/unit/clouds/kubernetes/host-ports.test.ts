import { groupsFrom } from '../../../../clouds/kubernetes/instances/list-groups';
import { createStandingTeller } from '../../../../clouds/kubernetes/limits/pods-away';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { aCluster, anOwner, aPod } from '../../../builders/a-kubernetes-object';

type Port = NonNullable<Pod['spec']['containers'][number]['ports']>[number];

const onPort = (name: string, workload: string, port: Port): Pod =>
  aPod({
    metadata: { name, uid: name, ...anOwner('ReplicaSet', workload) },
    spec: { containers: [{ ports: [port] }] },
  });

const groupsOf = (pods: readonly Pod[]) =>
  groupsFrom({ cluster: aCluster({ pods }), standings: createStandingTeller(300) }).map(
    ({ groupId, antiAffinity, instanceIds }) => ({ groupId, antiAffinity, instanceIds }),
  );

it('no node takes two pods of a workload that wants a port of the node', () => {
  const pods = ['a', 'b'].map((name) => onPort(name, 'edge', { hostPort: 80 }));
  expect(groupsOf(pods)).toEqual([{ groupId: 'uid-of-edge', antiAffinity: true, instanceIds: ['a', 'b'] }]);
});

it.each<{ other: string; port: Port; members: readonly string[] | undefined }>([
  { other: 'the same port', port: { hostPort: 80 }, members: ['a', 'b'] },
  { other: 'the same port on one address', port: { hostPort: 80, hostIP: '10.0.0.1' }, members: ['a', 'b'] },
  { other: 'another port', port: { hostPort: 81 }, members: undefined },
  { other: 'the port of another protocol', port: { hostPort: 80, protocol: 'UDP' }, members: undefined },
  { other: 'no port of the node', port: {}, members: undefined },
])('nor one of it and one of another that wants $other', ({ port, members }) => {
  const groups = groupsOf([onPort('a', 'edge', { hostPort: 80 }), onPort('b', 'other', port)]);
  expect(groups.find(({ groupId }) => groupId.startsWith('host port'))?.instanceIds).toEqual(members);
});

it('pods on two addresses of one port go together, and neither with a pod on all of them', () => {
  const on = (name: string, hostIP: string) => onPort(name, name, { hostPort: 80, hostIP });
  const groups = groupsOf([on('a', '10.0.0.1'), on('b', '10.0.0.2'), on('c', '0.0.0.0')]);
  expect(groups.slice(0, 2).map(({ instanceIds }) => instanceIds)).toEqual([
    ['a', 'c'],
    ['b', 'c'],
  ]);
});
