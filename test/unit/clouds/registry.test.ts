import { openCloud } from '../../../clouds/registry';
import { openDatabase } from '../../../prisma/database';

describe('the registry of clouds', () => {
  // A client connects when it is first used; these tests never do.
  const db = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none' });

  it('opens the cloud that the settings name', () => {
    expect(openCloud({ settings: { cloud: 'simulated', simSpeed: 1 }, db }).name).toBe('simulated');
  });

  it('lists the clouds there are when the settings name another', () => {
    expect(() => openCloud({ settings: { cloud: 'vmware', simSpeed: 1 }, db })).toThrow(
      'PARLEY_CLOUD: there is no cloud "vmware"; there is simulated',
    );
  });
});
