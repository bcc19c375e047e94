/** Many looks at moves in flight at the same time. */
import { createLookAtMoving } from '../../../../../clouds/openstack/moves/look-at-moving';
import type { SeenServer } from '../../../../../clouds/openstack/nova/seen-server';
import { aNovaServer } from '../../../../builders/a-nova-server';

const moving = (id: string): SeenServer => ({
  server: aNovaServer({ id, status: 'MIGRATING', 'OS-EXT-STS:task_state': 'migrating' }),
  at: new Date(0),
});
const arrived = (id: string): SeenServer => ({ server: aNovaServer({ id }), at: new Date(0) });

/** A Nova that lists servers, and knows others only when it is asked for each. */
const aNova = (listed: readonly SeenServer[], others: readonly SeenServer[] = []) => {
  const calls: string[] = [];
  const findServer = (id: string) => {
    calls.push(`find ${id}`);
    if (id === 'odd') return Promise.reject(new Error('Nova hides its host'));
    return Promise.resolve([...listed, ...others].find(({ server }) => server.id === id));
  };
  const listMovingServers = () => {
    calls.push('list');
    return Promise.resolve(listed);
  };
  return { look: createLookAtMoving({ findServer, listMovingServers }), calls };
};

it('is one list for all servers that Nova moves', async () => {
  const ids = ['a', 'b', 'c', 'd'];
  const { look, calls } = aNova(ids.map(moving));
  expect(await Promise.all(ids.map(look))).toEqual(ids.map(moving));
  expect(calls).toEqual(['list']);
});

it('is a look at the server itself where the list does not say that it is on its way', async () => {
  const { look, calls } = aNova([moving('a'), arrived('b')], [arrived('c')]);
  const seen = await Promise.all(['a', 'b', 'c', 'gone'].map(look));
  expect(seen).toEqual([moving('a'), arrived('b'), arrived('c'), undefined]);
  expect(calls).toEqual(['list', 'find b', 'find c', 'find gone']);
});

it('is a look at each where there are few', async () => {
  const { look, calls } = aNova([moving('a'), moving('b')]);
  await Promise.all(['a', 'b'].map(look));
  expect(calls).toEqual(['find a', 'find b']);
});

it('fails for the server alone that cannot be read', async () => {
  const { look } = aNova([moving('a'), moving('b')]);
  const seen = await Promise.allSettled(['a', 'b', 'odd'].map(look));
  expect(seen.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});
