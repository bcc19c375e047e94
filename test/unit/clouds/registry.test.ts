import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCloud } from '../../../clouds/registry';
import { loadSettings } from '../../../config/settings';
import { openDatabase } from '../../../prisma/database';

const folder = mkdtempSync(path.join(tmpdir(), 'registry-'));
afterAll(() => rmSync(folder, { recursive: true }));

const aKubeconfig = (): string => {
  const file = path.join(folder, 'kubeconfig');
  const contexts = [{ name: 'c', context: { cluster: 'c' } }];
  const clusters = [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }];
  writeFileSync(file, JSON.stringify({ 'current-context': 'c', contexts, clusters }));
  return file;
};

describe('the registry of clouds', () => {
  // A client connects when it is first used; these tests never do.
  const db = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none' });

  const settings = loadSettings({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
  const inOpenStack = { OS_AUTH_URL: 'http://127.0.0.1:1/v3', OS_USERNAME: 'a', OS_PASSWORD: 'b', OS_PROJECT_ID: 'c' };

  it('opens the cloud that the settings name', () => {
    expect(openCloud({ settings, db }).name).toBe('simulated');
    const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', PARLEY_CLOUD: 'openstack', ...inOpenStack };
    expect(openCloud({ settings: loadSettings(env), db }).name).toBe('openstack');
    const inCluster = { DATABASE_URL: env.DATABASE_URL, PARLEY_CLOUD: 'kubernetes', KUBECONFIG: aKubeconfig() };
    expect(openCloud({ settings: loadSettings(inCluster), db }).name).toBe('kubernetes');
  });

  it('lists the clouds there are when the settings name another', () => {
    expect(() => openCloud({ settings: { ...settings, cloud: 'vmware' }, db })).toThrow(
      'PARLEY_CLOUD: there is no cloud "vmware"; there is simulated, openstack, kubernetes',
    );
  });
});
