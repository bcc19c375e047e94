import { once } from 'node:events';
import { createStore } from '../../../../clouds/kubernetes/cache/store';
import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { kubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import { type Pod, pods } from '../../../../clouds/kubernetes/objects/pods';
import { aPod } from '../../../builders/a-kubernetes-object';

const podAt = (resourceVersion: string, uid = 'uid-1'): Pod =>
  aPod({ metadata: { name: `name-of-${uid}`, namespace: 'web', uid, resourceVersion } });

const closing = new AbortController();
afterAll(() => closing.abort());

/** A store whose watch has told these events after its list, and goes on. */
const storeAfter = async (listed: readonly Pod[], ...events: readonly object[]) => {
  let hasTold = (): void => undefined;
  const told = new Promise<void>((resolve) => (hasTold = resolve));
  const tell = async function* () {
    for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
    hasTold(); // the next event is asked for when all before are taken
    await once(closing.signal, 'abort');
  };
  const client = {
    list: () => Promise.resolve({ items: [...listed], resourceVersion: '5' }),
    open: () => Promise.resolve({ status: 200, headers: new Map(), body: tell() }),
  } as unknown as KubernetesClient;
  const store = createStore({ client, resource: pods, signal: closing.signal });
  await store.ready();
  await told;
  return store;
};

const deleted = { type: 'DELETED', object: podAt('8') };

it.each([
  { what: 'as it was before its end', put: podAt('7'), isThere: false },
  { what: 'as it was at its end', put: podAt('8'), isThere: false },
  { what: 'which is younger than the watch', put: podAt('9', 'uid-2'), isThere: true },
  { what: 'which the watch would have told', put: podAt('6', 'uid-2'), isThere: false },
])('after a pod is gone, a pod that was read $what is there: $isThere', async ({ put, isThere }) => {
  const store = await storeAfter([podAt('5')], deleted);
  store.put(put);
  expect([...store.all()]).toEqual(isThere ? [put] : []);
});

it.each([
  { what: 'newer', put: podAt('7'), kept: '7' },
  { what: 'older', put: podAt('4'), kept: '6' },
])('a known pod that was read in a state that is $what, is kept in the newest one', async ({ put, kept }) => {
  const store = await storeAfter([podAt('5')], { type: 'MODIFIED', object: podAt('6') });
  store.put(put);
  expect(store.byUid('uid-1')?.metadata.resourceVersion).toBe(kept);
});

it.each([
  { status: 403, of: 'may not be seen' },
  { status: 404, of: 'nobody serves' },
])('there are none of a kind that the service does without and that $of', async ({ status }) => {
  const stop = new AbortController();
  const refusal = kubernetesError('GET /apis', { status, headers: new Map(), body: '404 page not found' });
  const client = { list: () => Promise.reject(refusal) } as unknown as KubernetesClient;
  const store = createStore({ client, resource: pods, signal: stop.signal, isOptional: true });
  await store.ready();
  expect([...store.all()]).toEqual([]);
  stop.abort();
});

it('a store that is closed lets nobody wait', async () => {
  const stop = new AbortController();
  const list = async (): Promise<never> => {
    await once(stop.signal, 'abort');
    throw new Error('the connection is closed');
  };
  const store = createStore({ client: { list } as unknown as KubernetesClient, resource: pods, signal: stop.signal });
  const waiting = store.ready();
  stop.abort();
  await expect(waiting).rejects.toThrow('is closed');
  await expect(store.ready()).rejects.toThrow('the driver of the cluster is closed');
});
