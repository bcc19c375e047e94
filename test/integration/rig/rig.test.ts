/** Rigs that fail half-way. */
import type { WireFleet } from '../../../clouds/simulated/fleet-schema';
import { eventually } from '../../waiting/eventually';
import { startRig } from './rig';
import { startedParts } from './started-parts';

const openSockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

it('leave no connection to the services behind', async () => {
  const before = openSockets();
  await expect(startRig({ fleet: {} as WireFleet })).rejects.toThrow('fleet');
  await eventually('the connections are closed', () => Promise.resolve(openSockets() <= before || undefined));
});

it('end all that had started, in reverse, also where a part fails to end', async () => {
  const ended: string[] = [];
  const parts = startedParts();
  parts.endsBy(() => Promise.resolve(ended.push('first')));
  parts.endsBy(() => Promise.reject(new Error('the second does not end')));
  parts.endsBy(() => Promise.resolve(ended.push('third')));
  await expect(parts.endAll()).rejects.toThrow('the second does not end');
  expect(ended).toEqual(['third', 'first']);
  await parts.endAll();
  expect(ended).toHaveLength(2);
});
