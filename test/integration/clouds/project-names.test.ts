/** Names of projects by a real Keystone, as far as it lets the service look. */
import { createExchange } from '../../../clouds/http/exchange';
import { connectKeystone } from '../../../clouds/keystone/keystone';
import { createProjectNames } from '../../../clouds/openstack/project-names';
import { loadSettings } from '../../../config/settings';
import { otherProject, ownProject } from '../api/api-under-test';
import { aKeystone } from '../api/keystone-under-test';

const keystone = aKeystone();

const [own, other] = [ownProject, otherProject].map((uuid) => uuid.replaceAll('-', '')) as [string, string];

const namesFor = async (user: string, project: string, projectIds: readonly string[]) => {
  const settings = loadSettings({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    PARLEY_AUTH: 'keystone',
    ...keystone.rig().environmentOf(user, project),
  });
  const exchange = createExchange({ timeoutSeconds: 60, proxies: {} });
  const { authUrl, tokens } = connectKeystone(settings.keystone!, exchange);
  const namesOf = createProjectNames({ authUrl, tokens, exchange, waitMs: 60_000 });
  return Object.fromEntries(await namesOf(projectIds));
};

it('are told to an admin, but for a project that there is not', async () => {
  const unknown = 'f'.repeat(32);
  expect(await namesFor('operator', 'admin', [own, other, unknown])).toEqual({ [own]: 'own', [other]: 'other' });
});

it('are left out where the service may not look', async () => {
  expect(await namesFor('parley', 'service', [own, other])).toEqual({});
});

it('are left out where Keystone is away', async () => {
  await keystone.rig().stop();
  expect(await namesFor('operator', 'admin', [own])).toEqual({});
  await keystone.rig().start();
});
