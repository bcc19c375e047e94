/**
 * The commands of the pages on OpenStack and on Keystone, typed as they are written: what they make is enough for a
 * session, and for telling callers apart. Only names that are taken, passwords and addresses are others.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { openIdentity } from '../../api/identity/open-identity';
import { loadSettings } from '../../config/settings';
import { commandsIn } from '../integration/documents/commands-in';
import { anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { environmentOfRun } from '../run/environment-of-run';
import { logIn } from './rig/log-in';
import { testOpenStack } from './rig/openstack-addresses';
import { pythonWithOpenStack } from './rig/python-packages';

const page = 'docs/openstack.md';

interface Typist {
  readonly user: string;
  readonly project: string;
}
const operator: Typist = { user: 'admin', project: 'admin' };

/** The page's own user is there already, and each page makes one. */
const hereAs =
  (user: string) =>
  (command: string): string =>
    command
      .replace('--password-prompt', `--password '${testOpenStack().password}'`)
      .replace(/(?<=^openstack (?:user|role) .*) parley\b/, ` ${user}`);

/** @returns what they have printed */
const type = async (commands: readonly string[], { user, project }: Typist): Promise<string> => {
  const { keystone, password } = testOpenStack();
  const client = 'openstack() { "$PYTHON" -m openstackclient.shell "$@"; }';
  const { stdout } = await promisify(execFile)('bash', ['-ec', [client, ...commands].join('\n')], {
    env: {
      ...environmentOfRun(),
      ...{ HOME: process.env['HOME'], PYTHON: await pythonWithOpenStack() },
      ...{ OS_AUTH_URL: keystone, OS_USERNAME: user, OS_PASSWORD: password, OS_PROJECT_NAME: project },
      ...{ OS_USER_DOMAIN_NAME: 'Default', OS_PROJECT_DOMAIN_NAME: 'Default', OS_IDENTITY_API_VERSION: '3' },
    },
  });
  return stdout;
};

const principalOf = async (environment: Readonly<Record<string, string>>, token: string) => {
  const settings = loadSettings({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', ...environment });
  const { identity } = await openIdentity(settings, { logger: pino({ level: 'silent' }), answerSeconds: 120 });
  return identity.authenticate(token);
};

it('the page on Keystone makes a user that may tell who is calling', async () => {
  const user = 'of-the-keystone-page';
  await type(commandsIn('docs/keystone.md', '## Set up').map(hereAs(user)), operator);
  const { keystone, password } = testOpenStack();
  const login = { OS_AUTH_URL: keystone, OS_USERNAME: user, OS_PASSWORD: password, OS_PROJECT_NAME: 'service' };
  const { token } = await logIn(testOpenStack(), { user: 'admin', scope: { project: 'admin' } });
  expect(await principalOf({ PARLEY_AUTH: 'keystone', ...login }, token)).toEqual({
    kind: 'admin',
    caller: expect.any(String) as unknown,
    personName: 'admin',
    expiresAtMs: expect.any(Number) as unknown,
  });
});

describe('the page on OpenStack', () => {
  const user = 'of-the-openstack-page';
  let environment: Readonly<Record<string, string>>;
  let rig: Rig | undefined;
  beforeAll(async () => {
    const [byAdmin, byUser] = partition(commandsIn(page, '## 1. A user for the service').map(hereAs(user)));
    await type(byAdmin, operator);
    const made = await type(byUser, { user, project: 'admin' });
    const { keystone, region } = testOpenStack();
    const settings = settingsOf(commandsIn(page, '## 3. Settings'));
    environment = {
      ...settings,
      ...{ OS_AUTH_URL: keystone, OS_REGION_NAME: region, OS_CACERT: '' },
      ...{ OS_APPLICATION_CREDENTIAL_ID: shown(made, 'id'), OS_APPLICATION_CREDENTIAL_SECRET: shown(made, 'secret') },
    };
    rig = await startRig({ environment });
  });
  afterAll(() => rig?.stop());

  it('has the service found in the catalogue, and takes a session to its end', async () => {
    const given = commandsIn(page, '## 5. A session').map((line) =>
      line.replace('https://parley.example.org/v1', rig!.url),
    );
    const entry = commandsIn(page, '## 4. An entry in the catalogue');
    const find = 'openstack catalog show maintenance -f value -c endpoints';
    const printed = await type([...entry, find, ...given, 'echo; echo "$TOKEN"'], operator);
    expect(printed).toContain('https://parley.example.org/v1');
    expect(await principalOf(environment, printed.trimEnd().split('\n').at(-1)!)).toEqual({
      kind: 'admin',
      caller: expect.any(String) as unknown,
      personName: 'admin',
      expiresAtMs: expect.any(Number) as unknown,
    });
    const sessionId = /"session_id":"([^"]+)"/.exec(printed)![1]!;
    const { hosts } = await anAdmin(rig!.url).until(sessionId, 'MAINTENANCE_DONE');
    expect(hosts.map(({ hostname }) => hostname)).toEqual(['compute-1', 'compute-2']);
  });
});

/** An application credential is its user's own to make. */
const partition = (commands: readonly string[]): [string[], string[]] => {
  const isOwn = (command: string): boolean => command.includes('application credential');
  return [commands.filter((command) => !isOwn(command)), commands.filter(isOwn)];
};

const settingsOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.filter((line) => !line.startsWith('#')).map((line) => [line.split('=', 1)[0]!, line.replace(/^[^=]*=/, '')]),
  );

/** A row of the table that the client prints. */
const shown = (table: string, field: string): string => new RegExp(`\\| ${field} +\\| (\\S+)`, 'i').exec(table)![1]!;
