/**
 * A role with the rights of the table in docs/openstack.md and no others; and answers of Nova that lack something: a
 * right, a filter, a cell, a header.
 */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { askCloud } from '../../api/services/ask-cloud';
import { BlockedRefusal, type CloudDriver } from '../../clouds/cloud-driver';
import { rightsTable } from '../../clouds/openstack/rights/table';
import { lookAtCloud } from '../../snapshot/look-at-cloud';
import { type Admin, anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { createTestDatabase, type TestDatabase } from '../integration/setup/test-database';
import { aMove, watchMove } from './rig/a-move';
import { openDriver, openStackEnvironment } from './rig/driver-under-test';
import { openFaultyNova } from './rig/faulty-nova';
import { maintenanceRole, makeMaintainer } from './rig/maintainer';
import { withoutField } from './rig/odd-server';
import {
  actOn,
  deleteServer,
  findServer,
  listMigrations,
  makeServer,
  makeServers,
  type Server,
  until,
} from './rig/operator';
import { keepSilent } from './rig/silent-projects';
import {
  keepAuditing,
  leavePod,
  removePod,
  resetPolicy,
  setFault,
  setPolicy,
  startCell,
  stopCell,
} from './rig/switches';

let database: TestDatabase;
let maintainer: Readonly<Record<string, string>>;
let servers: readonly Server[];

const allRules = rightsTable.map(({ rule }) => rule);
const allBut = (...taken: readonly string[]) => allRules.filter((rule) => !taken.includes(rule));
const attributes = 'os_compute_api:os-extended-server-attributes';
const filters = 'os_compute_api:servers:allow_all_filters';
const coldRight = 'os_compute_api:os-migrate-server:migrate';
const resetRight = 'os_compute_api:os-admin-actions:reset_state';
const askRight = 'os_compute_api:os-server-diagnostics';
/** Keystone's policy does not change while it runs: it does not know this role. */
const namelessRole = 'nameless-maintenance';

const aDriver = (environment: Readonly<Record<string, string>> = maintainer) => openDriver(database.db, environment);

beforeAll(async () => {
  database = await createTestDatabase();
  maintainer = await makeMaintainer();
  servers = await makeServers(
    ['compute-1', 'compute-1', 'compute-2'].map((host, n) => ({ name: `server-${n}`, host })),
  );
});
afterEach(async () => {
  await startCell();
  await resetPolicy();
});
afterAll(() => database.drop());

const missingOf = async (environment?: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await aDriver(environment).missingRights()).map(({ rule }) => rule);

const doubtsOn = async (driver: CloudDriver, host: string): Promise<readonly string[]> =>
  (await driver.whatIsOn(host)).doubts.map(({ because }) => because);

describe('an answer of Nova', () => {
  it('without hosts of servers is an error that names the right, not a list of servers on no host', async () => {
    await setPolicy(maintenanceRole, allBut(attributes));
    await expect(aDriver().listInstances()).rejects.toThrow(/hides OS-EXT-SRV-ATTR:host of server .*attributes/);
    await expect(aDriver().findInstance(servers[0]!.id)).rejects.toThrow(attributes);
    expect(await doubtsOn(aDriver(), 'compute-1')).toEqual([expect.stringContaining(attributes)]);
    const look = askCloud(aDriver(), (cloud) => lookAtCloud({ cloud, db: database.db }));
    await expect(look).rejects.toMatchObject({
      problem: { code: 'CLOUD_RIGHT_MISSING', detail: expect.stringContaining(attributes) as string },
    });
  });

  it('that ignores the filter by host is filtered here', async () => {
    await setPolicy(maintenanceRole, allBut(filters));
    const listed = await aDriver().listInstances('compute-2');
    expect(listed.map(({ instanceName }) => instanceName)).toEqual(['server-2']);
    expect((await aDriver().whatIsOn('compute-3')).instances).toEqual([]);
  });

  it('without Date begins a move and follows it all the same', async () => {
    const nova = await openFaultyNova();
    nova.answerAlways({}, 'no date');
    const driver = aDriver({ OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url });
    const move = aMove(servers[0]!, { target: 'compute-3' });
    expect(await driver.startMove(move)).toEqual({ kind: 'running' });
    expect(await watchMove(driver, move)).toEqual({ kind: 'done', host: 'compute-3' });
    await nova.close();
  });

  it.each([
    {
      field: 'flavor',
      holds: 'its host alone',
      isEvery: false,
      says: "Nova's server: /flavor is missing (of server-2",
    },
    {
      field: 'OS-EXT-SRV-ATTR:host',
      holds: 'every host',
      isEvery: true,
      says: 'hides OS-EXT-SRV-ATTR:host of server server-2',
    },
  ])('about one server without $field holds $holds, and the others are listed', async ({ field, isEvery, says }) => {
    const nova = await openFaultyNova();
    const driver = aDriver({ OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url });
    const { match, misfortune } = withoutField(field, servers[2]!.id);
    nova.answerAlways(match, misfortune);
    const [instances, hosts] = await Promise.all([driver.listInstances(), driver.listHosts()]);
    expect(instances.map(({ instanceName }) => instanceName).sort()).toEqual(['server-0', 'server-1']);
    const computes = hosts.filter(({ isCompute }) => isCompute).map(({ name }) => name);
    const held = hosts.filter(({ contentUnknown }) => contentUnknown?.includes(says)).map(({ name }) => name);
    expect(held).toEqual(isEvery ? computes : ['compute-2']);
    expect(await doubtsOn(driver, 'compute-2')).toEqual([expect.stringContaining(says)]);
    expect(await doubtsOn(driver, 'compute-3')).toEqual([]);
    await expect(driver.findInstance(servers[2]!.id)).rejects.toThrow(says);
    nova.heal();
    expect((await driver.whatIsOn('compute-2')).instances).toHaveLength(1);
    await nova.close();
  });

  it('about a cell that is down makes its hosts unknown, and nothing is taken for empty', async () => {
    const driver = aDriver({});
    await driver.listInstances();
    await stopCell();
    const hosts = await driver.listHosts();
    expect(hosts.find(({ name }) => name === 'compute-1')).toMatchObject({
      ...{ isUp: false, enabled: false },
      contentUnknown: expect.stringContaining('cell does not answer') as string,
    });
    expect(await driver.listInstances()).toEqual([]);
    await expect(driver.listInstances('compute-1')).rejects.toThrow(/nobody knows what is on host compute-1/);
    await expect(driver.findInstance(servers[1]!.id)).rejects.toThrow(/cell does not answer/);
    await expect(driver.disableHost('compute-1', 'maintenance')).rejects.toThrow(/cell does not answer/);
    expect((await driver.whatIsOn('compute-1')).doubts).toHaveLength(1);
    await startCell();
    expect((await driver.listHosts()).find(({ name }) => name === 'compute-1')).toMatchObject({ enabled: true });
    expect(await driver.listInstances('compute-2')).toHaveLength(1);
  });
});

describe('the rights of the role', () => {
  it('are all there for an admin', async () => {
    expect(await missingOf({})).toEqual([]);
  });

  it('are all there for a role with the lines of the documentation', async () => {
    await setPolicy(maintenanceRole, allRules);
    expect(await missingOf()).toEqual([]);
  });

  const ofKeystone = 'identity:get_project';
  const tried = allRules.filter((rule) => ![coldRight, resetRight, askRight, ofKeystone].includes(rule));
  it.each(tried)('are named when they lack %s', async (rule) => {
    await setPolicy(maintenanceRole, allBut(rule));
    expect(await missingOf()).toEqual([rule]);
  });

  it(`are named when they lack ${ofKeystone}`, async () => {
    const nameless = await makeMaintainer(namelessRole);
    await setPolicy(namelessRole, allRules);
    expect(await missingOf(nameless)).toEqual([ofKeystone]);
  });

  it('are tried by calls that change nothing', async () => {
    const look = async () => ({
      servers: await Promise.all(servers.map(({ id }) => findServer(id))),
      hosts: await aDriver().listHosts(),
    });
    await setPolicy(maintenanceRole, allRules);
    const before = await look();
    await missingOf();
    expect(await look()).toEqual(before);
  });
});

/** Each call with them would change something, so none tries them: the move that needs them tells. */
describe('a move of a role', () => {
  let server: Server;
  beforeEach(async () => {
    server = await makeServer({ name: 'moving', host: 'compute-1' });
  });
  afterEach(() => deleteServer(server.id));

  it(`without ${coldRight} goes cold to a host of Parley's choice: the right to that is enough`, async () => {
    await setPolicy(maintenanceRole, allBut(coldRight));
    const driver = aDriver();
    const move = aMove(server, { action: 'MIGRATE', target: 'compute-3' });
    expect(await driver.missingRights()).toEqual([]);
    expect(await driver.startMove(move)).toEqual({ kind: 'running' });
    expect(await watchMove(driver, move)).toEqual({ kind: 'done', host: 'compute-3' });
  });

  it('without both rights to go cold is refused with the name of the one that it would need', async () => {
    await setPolicy(maintenanceRole, allBut(coldRight, `${coldRight}:host`));
    const refusal = aDriver().startMove(aMove(server, { action: 'MIGRATE', target: 'compute-3' }));
    await expect(refusal).rejects.toMatchObject({
      name: 'CloudRefusal',
      message: expect.stringContaining(coldRight) as string,
    });
  });

  it(`without ${resetRight} is not forced for a server in ERROR that runs, and says so`, async () => {
    await setPolicy(maintenanceRole, allBut(resetRight));
    const driver = aDriver();
    await setFault(server.id, { seconds: 4, fail: 'run' });
    const move = aMove(server, { target: 'compute-3' });
    await driver.startMove(move);
    await actOn(server.id, { 'os-resetState': { state: 'error' } });
    await until('the live migration is over', async () =>
      (await listMigrations(server.id)).some(({ status }) => ['failed', 'error'].includes(status)) ? true : undefined,
    );
    expect(await watchMove(driver, move)).toMatchObject({ kind: 'failed' });
    const refusal = await driver.forceMove(move).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BlockedRefusal);
    expect(refusal).toMatchObject({ message: expect.stringContaining(`Allow ${resetRight} to the role`) as string });
  });
});

describe('the service of a role', () => {
  let rig: Rig;
  let admin: Admin;
  let endAudits = (): void => undefined;
  let endSilence = (): void => undefined;
  beforeAll(async () => {
    endAudits = keepAuditing();
    rig = await startRig({ environment: { ...openStackEnvironment(), ...maintainer, PARLEY_MOVE_SECONDS: '120' } });
    endSilence = await keepSilent(rig);
    admin = anAdmin(rig.url);
  });
  afterAll(async () => {
    endSilence();
    endAudits();
    await rig.stop();
    await removePod('conductor-7f9c');
  });

  const planOf = async (hosts: readonly string[]): Promise<PlanBody> => {
    const request = { workflow: 'default', state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
    const { status, body } = await admin.call('POST', '/maintenance/plan', { ...request, hosts, actions: [] });
    expect(status).toBe(200);
    return body as PlanBody;
  };

  it('maintains a host with servers on it, with the rights of the table', async () => {
    await setPolicy(maintenanceRole, allRules);
    const sessionId = await admin.create({ hosts: ['compute-2'], workflow: 'default' });
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect((await findServer(servers[2]!.id))?.['OS-EXT-SRV-ATTR:host']).not.toBe('compute-2');
  });

  it('leaves out the name of a pod that is gone, says so, and refuses it by name', async () => {
    await setPolicy(maintenanceRole, allRules);
    await leavePod('conductor-7f9c');
    await until('the list of hosts has it', async () => {
      const hosts = await rig.services.cloud.listHosts();
      return hosts.some(({ seemsGone }) => seemsGone !== undefined) ? true : undefined;
    });
    const { blockers, hosts } = await planOf([]);
    expect(hosts.map(({ hostname }) => hostname)).not.toContain('conductor-7f9c');
    expect(blockers).toContainEqual(expect.objectContaining({ kind: 'host_left_out', subject: 'conductor-7f9c' }));
    const request = { workflow: 'default', state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
    const refusal = await admin.call('POST', '/maintenance', { ...request, hosts: ['conductor-7f9c'], actions: [] });
    expect(refusal.status).toBe(400);
    expect(JSON.stringify(refusal.body)).toContain('seems to be gone, since its services (nova-conductor)');
  });
});
