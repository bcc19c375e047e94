import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { findMissingRights } from '../../../../clouds/kubernetes/rights/missing-rights';

interface Review {
  readonly spec: {
    readonly resourceAttributes: { readonly resource: string; readonly subresource?: string; readonly verb: string };
  };
}

/** A cluster that refuses these, such as `patch nodes`. */
const clusterWithout = (...refused: string[]) => {
  const asked: string[] = [];
  const call = ({ body }: { body: Review }) => {
    const { verb, resource, subresource } = body.spec.resourceAttributes;
    const right = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    asked.push(right);
    return Promise.resolve({ status: { allowed: !refused.includes(right) } });
  };
  return { client: { call } as unknown as KubernetesClient, asked };
};

it('names what is missing, and whether work stops without it', async () => {
  const { client } = clusterWithout('patch nodes', 'list volumeattachments', 'delete pods');
  await expect(findMissingRights(client, { mayForce: false })).resolves.toMatchObject([
    { rule: 'patch nodes', severity: 'stops' },
    { rule: 'list volumeattachments.storage.k8s.io', severity: 'limits' },
  ]);
  await expect(findMissingRights(client, { mayForce: true })).resolves.toHaveLength(3);
});

it('asks for nothing that no session uses', async () => {
  const { client, asked } = clusterWithout();
  await expect(findMissingRights(client, { mayForce: false })).resolves.toEqual([]);
  expect([...new Set(asked.map((right) => right.split(' ')[1]))].toSorted()).toEqual(
    [
      ...[
        'csinodes',
        'daemonsets',
        'events',
        'jobs',
        'namespaces',
        'nodemaintenances',
        'nodes',
        'nodes/status',
        'persistentvolumeclaims',
      ],
      ...[
        'persistentvolumes',
        'poddisruptionbudgets',
        'podgroups',
        'pods',
        'pods/eviction',
        'replicasets',
        'resourceslices',
        'statefulsets',
      ],
      ...['volumeattachments'],
    ].toSorted(),
  );
});

it('takes an answer of another shape for none', async () => {
  const client = { call: () => Promise.resolve({ kind: 'Odd' }) } as unknown as KubernetesClient;
  await expect(findMissingRights(client, { mayForce: false })).rejects.toThrow('answer about rights');
});
