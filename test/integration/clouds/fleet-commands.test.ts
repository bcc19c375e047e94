import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { addFleetCommands } from '../../../cli/fleet';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { type Database, openDatabase } from '../../../prisma/database';
import { keyOf } from '../../../rules/cloud/id';
import { aDeparture } from '../../builders/a-departure';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { createTestDatabase } from '../setup/test-database';

describe('parley fleet', () => {
  const webId = uuidNumber(1);
  let db: Database;
  let url: string;
  let drop: () => Promise<void>;
  let folder: string;
  let file: string;

  /** Runs a command as the user types it; what it says, or its error. */
  const parley = async (...words: string[]): Promise<string> => {
    let said = '';
    const output = { writeOut: (text: string) => (said += text), writeErr: (text: string) => (said += text) };
    const program = new Command('parley').exitOverride().configureOutput(output);
    addFleetCommands(program, () => Promise.resolve(openDatabase({ url, poolSize: 2 })));
    await program.parseAsync(['fleet', ...words], { from: 'user' });
    return said;
  };
  const cloud = () => createSimulatedCloud({ db, speed: 1 });
  const aMove = () => ({
    claimId: randomUUID(),
    instanceId: webId,
    action: 'LIVE_MIGRATE' as const,
    source: 'compute-1',
    target: 'compute-2',
  });

  beforeAll(async () => {
    ({ db, url, drop } = await createTestDatabase());
    folder = await mkdtemp(join(tmpdir(), 'fleet-'));
    file = join(folder, 'fleet.json');
    await writeFile(
      file,
      JSON.stringify(
        aFleetFile({
          hosts: [
            aFleetHost(),
            aFleetHost({ name: 'compute-2', enabled: false }),
            aFleetHost({ name: 'control', type: 'controller' }),
          ],
          instances: [
            aFleetInstance({ move_s: 3600 }),
            aFleetInstance({ instance_id: uuidNumber(2), instance_name: 'twin' }),
            aFleetInstance({ instance_id: uuidNumber(3), instance_name: 'twin' }),
          ],
        }),
      ),
    );
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await drop();
  });
  beforeEach(async () => {
    await parley('load', file, '--force');
    await db.simMove.deleteMany();
  });

  it('load says what it loaded', async () => {
    expect(await parley('load', file)).toBe('Loaded test: 3 hosts, 3 instances.\n');
  });

  it('load is refused while the fleet is in use, unless forced', async () => {
    await cloud().enableHost('compute-2');
    await cloud().startMove(aMove());
    await expect(parley('load', file)).rejects.toThrow('the fleet is in use');
    expect(await parley('load', file, '--force')).toContain('Loaded');
  });

  it.each([
    { state: 'PLANNED_MAINTENANCE', refused: true },
    { state: 'MAINTENANCE_FAILED', refused: false },
  ])('load under a session in $state is refused: $refused', async ({ state, refused }) => {
    const id = randomUUID();
    const states = { initialState: state, state, prevState: state };
    await db.session.create({
      data: { id, name: 'night', workflow: 'vnf', ...states, maintenanceAt: new Date(), metadata: {}, actions: [] },
    });
    const loaded = await parley('load', file).catch(String);
    expect(loaded.includes(`under session ${id.slice(0, 8)} (night)`)).toBe(refused);
    expect(await parley('load', file, '--force')).toContain('Loaded');
    await db.session.delete({ where: { id } });
  });

  it('show tells about hosts, instances and moves', async () => {
    await cloud().enableHost('compute-2');
    await cloud().startMove(aMove());
    await parley('fail', 'control', '--disable', '2');
    const lines = (await parley('show')).split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
    expect(lines).toContain('compute-1 | compute | 6/16 | 12/64 | 3 | enabled | -');
    expect(lines).toContain('compute-2 | compute | 2/16 | 4/64 | 0 | enabled | -');
    expect(lines).toContain('control | controller | 0/16 | 0/64 | 0 | enabled | refuses its next 2 disables');
    expect(lines).toContain(`web-1 | ${webId} | ${uuidNumber(900)} | compute-1 | 2 | 4 | ACTIVE | -`);
    expect(lines).toContainEqual(expect.stringMatching(/^web-1 \| LIVE_MIGRATE \| compute-1 -> compute-2 \| \d{4}-/));
  });

  it('show says why a host is disabled', async () => {
    expect(await parley('show')).toContain('disabled (disabled before any maintenance (fleet file))');
  });

  it('show --json is for scripts', async () => {
    expect(JSON.parse(await parley('show', '--json'))).toMatchObject({
      hosts: [{ name: 'compute-1', used: { vcpus: 6, memoryMb: 12_288 } }, { name: 'compute-2' }, { name: 'control' }],
      instances: [{ instanceName: 'twin' }, { instanceName: 'twin' }, { instanceName: 'web-1' }],
      movesRunning: [],
    });
  });

  it('show of an empty cloud says what to do', async () => {
    await db.simHost.deleteMany();
    expect(await parley('show')).toContain('load one with "fleet load FILE"');
  });

  it('fail and repair change whether moves fail', async () => {
    await parley('fail', 'web-1', '3');
    expect(await db.simInstance.findUniqueOrThrow({ where: { instanceKey: keyOf(webId) } })).toMatchObject({
      failMoves: 3,
    });
    await db.simInstance.update({ where: { instanceKey: keyOf(webId) }, data: { state: 'ERROR' } });
    expect(await parley('repair', webId)).toBe(`Repaired instance ${webId}.\n`);
    expect(await db.simInstance.findUniqueOrThrow({ where: { instanceKey: keyOf(webId) } })).toMatchObject({
      failMoves: 0,
      state: 'ACTIVE',
    });
  });

  it('fail and repair change whether a host can be disabled', async () => {
    await parley('fail', 'compute-1', '--disable', '1');
    await expect(cloud().disableHost('compute-1', 'why')).rejects.toThrow('told to refuse it');
    await cloud().disableHost('compute-1', 'why');
    await parley('repair', 'compute-1');
    expect((await cloud().listHosts())[0]).toMatchObject({ enabled: false });
    await parley('repair', 'compute-1', '--enable');
    expect((await cloud().listHosts())[0]).toMatchObject({ enabled: true });
  });

  it('down and silence are told, and repair takes them back', async () => {
    expect(await parley('down', 'compute-1')).toBe('Host compute-1 is down.\n');
    expect((await cloud().listHosts())[0]).toMatchObject({ isUp: false });
    await parley('silence', 'compute-1');
    expect((await cloud().listHosts())[0]).toMatchObject({
      contentUnknown: expect.stringContaining('compute-1') as string,
    });
    expect(await cloud().listInstances()).toEqual([]);
    await expect(cloud().listInstances('compute-1')).rejects.toThrow('nobody knows what is on host compute-1');
    await expect(cloud().findInstance(webId)).rejects.toThrow(`nothing is known of instance ${webId}`);
    expect(await parley('show')).toContain('is down, the cloud cannot tell what is on it');
    await parley('repair', 'compute-1');
    expect((await cloud().listHosts())[0]).toMatchObject({ isUp: true });
    await expect(parley('down', 'nowhere')).rejects.toThrow('there is no host "nowhere"');
  });

  it('hide leaves an instance out of some sources until repair', async () => {
    const doubtsAbout = async () =>
      (await cloud().whatIsOn('compute-1')).doubts.filter(({ instanceId }) => instanceId === webId);
    expect(await parley('hide', 'web-1', 'list', 'bookings')).toBe('web-1 is hidden from: list, bookings.\n');
    expect(await doubtsAbout()).toMatchObject([
      { because: expect.stringContaining('the hypervisor places it') as string },
    ]);
    expect(await parley('show')).toContain('hidden from list, bookings');
    await parley('repair', 'web-1');
    expect(await doubtsAbout()).toEqual([]);
    await expect(parley('hide', 'web-1', 'nothing')).rejects.toThrow('one of list, bookings, hypervisor is needed');
  });

  it('remove deletes an instance, and its move is gone', async () => {
    await cloud().enableHost('compute-2');
    const move = aMove();
    await cloud().startMove(move);
    await parley('remove', 'web-1');
    expect(await cloud().observeMove(move)).toEqual({ kind: 'gone' });
    expect(await cloud().findInstance(webId)).toBeUndefined();
  });

  it('add makes an instance and prints its ID', async () => {
    const project = uuidNumber(901);
    const size = ['--vcpus', '4', '--memory-mb', '2048'];
    const id = (await parley('add', '--host', 'compute-2', '--project', project, ...size, '--name', 'new')).trim();
    expect(await cloud().findInstance(id)).toEqual({
      instanceId: id,
      instanceName: 'new',
      projectId: project,
      host: 'compute-2',
      flavor: '4x2048',
      amounts: { VCPU: 4, MEMORY_MB: 2048 },
      state: 'ACTIVE',
      departure: aDeparture(),
    });
  });

  it('move puts an instance elsewhere at once, also onto a disabled host', async () => {
    await parley('move', 'web-1', 'compute-2');
    expect(await cloud().findInstance(webId)).toMatchObject({ host: 'compute-2' });
    expect(await db.simMove.count()).toBe(0);
  });

  it('move is refused while the cloud moves the instance', async () => {
    await cloud().enableHost('compute-2');
    await cloud().startMove(aMove());
    await expect(parley('move', 'web-1', 'compute-2')).rejects.toThrow('instance web-1 is being moved already');
  });

  const aBigInstance = ['--project', uuidNumber(900), '--vcpus', '17', '--memory-mb', '1'];

  it.each([
    { words: ['load', 'none.json'], says: 'none.json: ' },
    { words: ['fail', 'nobody', '1'], says: 'no instance has the ID or the name "nobody"' },
    { words: ['fail', 'twin', '1'], says: '2 instances are named "twin": name one by its ID' },
    { words: ['fail', 'web-1'], says: 'name an instance and how many of its moves fail (N), or a host' },
    { words: ['fail', 'web-1', 'often'], says: 'a whole number from 0 on is needed' },
    { words: ['fail', 'compute-9', '--disable', '1'], says: 'there is no host "compute-9"' },
    { words: ['repair', 'nobody'], says: 'no host or instance is named "nobody"' },
    { words: ['remove', 'nobody'], says: 'no instance has the ID or the name "nobody"' },
    { words: ['move', 'web-1', 'compute-9'], says: 'there is no host "compute-9"' },
    { words: ['move', 'web-1', 'compute-1'], says: 'instance web-1 is on host compute-1 already' },
    { words: ['move', 'web-1', 'control'], says: 'host control holds no instances' },
    { words: ['add', '--host', 'compute-2', ...aBigInstance], says: '16 vcpus and 65536 MB of memory are left' },
    { words: ['add', '--project', 'mine'], says: 'a UUID is needed' },
    { words: ['add'], says: "required option '--host <host>' not specified" },
  ])('$words is refused, saying what is wrong', async ({ words, says }) => {
    await expect(parley(...words)).rejects.toThrow(says);
  });
});
