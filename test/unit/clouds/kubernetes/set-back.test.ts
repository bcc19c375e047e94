import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import type { Deployment } from '../../../../clouds/kubernetes/objects/others';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { surgedAnnotation } from '../../../../clouds/kubernetes/surge/decide-surge';
import { createSurger } from '../../../../clouds/kubernetes/surge/surge';
import type { Database } from '../../../../prisma/database';
import { aBudget, aCluster, anOwner, aPod } from '../../../builders/a-kubernetes-object';
import { type Random, randomFrom } from '../../../builders/random';

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const inShop = (uid: string): Pod =>
  aPod({
    metadata: { name: `pod-${uid}`, uid, labels: { app: 'web' }, ...anOwner('ReplicaSet', 'shop-1') },
    status: ready,
  });
const pods = [inShop('uid-1'), inShop('uid-2')];
const replicaSet = {
  metadata: { name: 'shop-1', namespace: 'web', uid: 'uid-of-shop-1', ...anOwner('Deployment', 'shop') },
};

/** A cluster with a Deployment that was raised from 1 to 2, and the log of moves. Each answer takes a while. */
const aWorld = (random: Random, remembered = 'from 1 to 2') => {
  /** Most are short, so that much happens during a long one. */
  const pause = async (): Promise<void> => {
    for (let turns = Math.floor(random() ** 6 * 200); turns > 0; turns -= 1) await Promise.resolve();
  };
  let shop: Deployment = {
    metadata: {
      ...{ name: 'shop', namespace: 'web', uid: 'uid-of-shop', resourceVersion: '1', generation: 2 },
      annotations: { 'parley.maintenance/surge': 'true', [surgedAnnotation]: remembered },
    },
    spec: { replicas: 2 },
    status: { observedGeneration: 2, updatedReplicas: 2 },
  };
  const openMoves = new Set<string>();
  const patch = (given: { metadata: Deployment['metadata']; spec: { replicas: number } }): Deployment => {
    const { resourceVersion, annotations } = given.metadata;
    if (resourceVersion !== shop.metadata.resourceVersion) {
      throw new KubernetesError('PATCH', 409, { said: 'the object has been modified', causes: [] });
    }
    const left = Object.entries({ ...shop.metadata.annotations, ...annotations }).filter(
      ([, value]) => value as unknown,
    );
    const metadata = { ...shop.metadata, annotations: Object.fromEntries(left) };
    shop = { ...shop, metadata: { ...metadata, resourceVersion: `${Number(resourceVersion) + 1}` }, spec: given.spec };
    return shop;
  };
  const client = {
    call: () => Promise.resolve({ status: { allowed: true } }),
    list: () => pause().then(() => ({ items: pods })),
    get: () => pause().then(() => shop),
    patch: (_resource: unknown, _at: unknown, change: { patch: Parameters<typeof patch>[0] }) =>
      pause().then(() => patch(change.patch)),
  } as unknown as KubernetesClient;
  const db = {
    $queryRaw: () => pause().then(() => [...openMoves].map((instanceId) => ({ instanceId }))),
  } as unknown as Database;
  /** A process, with the cluster as its watches have told it now. */
  const aProcess = () => {
    const budgets = [aBudget({ spec: { minAvailable: 1 }, status: { expectedPods: 2, desiredHealthy: 1 } })];
    const told = aCluster({ pods, budgets, replicaSets: [replicaSet], deployments: [shop] });
    return createSurger({ db, client, cluster: { ...told, ready: () => Promise.resolve() } });
  };
  /** An eviction up to the moment when the API server is asked. */
  const move = async (uid: string, process = aProcess()) => {
    await pause();
    openMoves.add(uid);
    return process.beforeEviction(uid);
  };
  const now = () => ({ replicas: shop.spec?.replicas, remembered: shop.metadata.annotations?.[surgedAnnotation] });
  return { aProcess, move, now };
};

it('a move that begins while replicas are set back finds them raised, or waits', async () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 2000; seed += 1) {
    const world = aWorld(randomFrom(seed));
    const [room] = await Promise.all([world.move('uid-1'), world.aProcess().settle(), world.aProcess().settle()]);
    const { replicas, remembered } = world.now();
    seen.add(`${room.kind} ${replicas}`);
    // Whoever asks for an eviction relies on the second pod for as long as the move is open.
    if (room.kind === 'ask') expect({ seed, replicas, remembered }).toMatchObject({ replicas: 2 });
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining(['ask 2', 'hold 1']));
});

it('moves of several pods of one Deployment share what was raised, until the last has left', async () => {
  const world = aWorld(randomFrom(1));
  await world.move('uid-1');
  await world.move('uid-2');
  await world.aProcess().settle();
  expect(world.now()).toEqual({ replicas: 2, remembered: 'from 1 to 2' });
});

it('goes on where the process died that was about to set it back, and a move writes it anew', async () => {
  const left = 'from 1 to 2, to be set back';
  const later = aWorld(randomFrom(1), left);
  await later.aProcess().settle();
  expect(later.now()).toEqual({ replicas: 1, remembered: undefined });
  const moved = aWorld(randomFrom(1), left);
  expect(await moved.move('uid-1')).toMatchObject({ kind: 'ask' });
  expect(moved.now()).toEqual({ replicas: 2, remembered: 'from 1 to 2' });
});

it('a move waits while its Deployment gives up the pod that was one too many', async () => {
  const world = aWorld(randomFrom(1));
  const before = world.aProcess();
  await world.aProcess().settle();
  const because = 'Deployment web/shop is being set to 1 replicas';
  expect(await world.move('uid-1', before)).toEqual({ kind: 'hold', because });
});
