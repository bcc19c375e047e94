/** Ways of logging in beside user and password, and certificates of an authority of one's own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../integration/setup/test-database';
import { openDriver } from './rig/driver-under-test';
import { type FaultyService, openFaultyKeystone, openFaultyNova } from './rig/faulty-nova';
import { callJson } from './rig/json-client';
import { logIn } from './rig/log-in';
import { makeCertificate } from './rig/make-certificate';
import { testOpenStack } from './rig/openstack-addresses';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('an application credential', () => {
  const secret = 'of the application';
  const userAndPassword = { OS_USERNAME: '', OS_PASSWORD: '', OS_PROJECT_NAME: '' };
  let id: string;
  beforeAll(async () => {
    const { keystone } = testOpenStack();
    const { token, userId } = await logIn(testOpenStack(), { user: 'parley', scope: { project: 'admin' } });
    const made = await callJson(`${keystone}/users/${userId}/application_credentials`, {
      method: 'POST',
      headers: { 'x-auth-token': token },
      body: { application_credential: { name: 'parley', secret, roles: [{ name: 'admin' }] } },
    });
    ({ id } = (made.body as { application_credential: { id: string } }).application_credential);
  });

  const aDriver = (given: string) =>
    openDriver(database.db, {
      ...userAndPassword,
      OS_APPLICATION_CREDENTIAL_ID: id,
      OS_APPLICATION_CREDENTIAL_SECRET: given,
    });

  it('lets the service in without user, password and project, and do what its role may', async () => {
    const driver = aDriver(secret);
    expect((await driver.listHosts()).map(({ name }) => name)).toContain('compute-1');
    await driver.disableHost('compute-1', 'maintenance');
    await driver.enableHost('compute-1');
  });

  it('with a wrong secret is refused, and named', async () => {
    await expect(aDriver('guessed').ping()).rejects.toThrow(
      new RegExp(`does not let application credential ${id} in \\(401\\): .*Check the OS_\\* settings\\.$`, 's'),
    );
  });
});

describe('services behind a certificate of an own authority', () => {
  let folder: string;
  let file: string;
  let keystone: FaultyService;
  let nova: FaultyService;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-certificate-'));
    const certificate = await makeCertificate(folder);
    ({ file } = certificate);
    [keystone, nova] = await Promise.all([openFaultyKeystone(certificate), openFaultyNova(certificate)]);
  });
  afterAll(async () => {
    await Promise.all([keystone.close(), nova.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  const places = () => ({ OS_AUTH_URL: keystone.url, OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url });

  it('are trusted where OS_CACERT names it', async () => {
    await openDriver(database.db, { ...places(), OS_CACERT: file }).ping();
    expect(nova.calls.some(({ path: asked }) => asked.includes('os-services'))).toBe(true);
  });

  it('are not trusted else, and nothing secret is sent', async () => {
    const before = keystone.calls.length;
    await expect(openDriver(database.db, places()).ping()).rejects.toThrow(/self-signed certificate/);
    expect(keystone.calls.length).toBe(before);
  });

  it('cannot be reached with a file that is not there, which is said at the start', () => {
    expect(() => openDriver(database.db, { ...places(), OS_CACERT: '/no/such/file.pem' })).toThrow(/no\/such\/file/);
  });
});
