/** The parts that a rig has started when it fails half-way. */
import { startedParts } from '../../integration/rig/started-parts';

it('is ended, the last part first, also where one fails to end', async () => {
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
