import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { createKubernetesCloud } from '../../../../clouds/kubernetes/kubernetes-cloud';
import type { Database } from '../../../../prisma/database';

it('names of projects wait for no watch that hangs', async () => {
  const asked: string[] = [];
  const list = ({ plural }: { plural: string }): Promise<never> => {
    asked.push(plural);
    return new Promise(() => undefined);
  };
  const cloud = createKubernetesCloud({
    db: {} as unknown as Database,
    client: { list, close: () => Promise.resolve() } as unknown as KubernetesClient,
    eviction: { unmanagedPods: 'keep', localData: 'keep', forced: 'keep' },
    ...{ taintsUnmaintained: false, completeSeconds: 0, readySeconds: 0, detachSeconds: 0, jobNamespace: undefined },
    atWorkTaints: [],
  });
  await expect(cloud.projectNames!(['c0ffee00-0000-4000-8000-000000000000'])).resolves.toEqual(new Map());
  expect(asked).toEqual(['namespaces']); // they are there at the next call
  await cloud.close();
});
