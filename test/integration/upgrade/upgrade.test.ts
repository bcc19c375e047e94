/**
 * Sessions that an earlier version left under way end under the version of now: its rows are migrated, and its Temporal
 * server goes on with its histories (docs/design/versions.md).
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { startTemporalServer, type TemporalServer } from '../../../cli/stack/temporal-server';
import { findTestTemporal } from '../../run/find-temporal';
import { continueFailed, untilDone } from '../continue/continued-session';
import { type Admin, anAdmin } from '../rig/admin';
import { endHeldMoves } from '../rig/held-moves';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { fileFolder } from '../setup/file-folder';
import { migrated } from '../setup/migrating-process';
import { createEmptyDatabase } from '../setup/test-database';
import { folderOfUpgrades, keptDescription, type KeptService, loadDatabase, unpackTemporal } from './kept-service';
import { environment, fleet, pluginsAfter, projectOf, type Situation, situations } from './sessions-under-way';

describe.each(readdirSync(folderOfUpgrades))('sessions that %s left under way', (version) => {
  let kept: KeptService;
  let temporal: TemporalServer;
  let rig: Rig;
  let admin: Admin;
  let managers: readonly Manager[] = [];
  const idOf = (situation: Situation): string => kept.sessionIds[situation]!;

  beforeAll(async () => {
    kept = await keptDescription(version);
    const databaseFile = path.join(fileFolder(), `temporal-${version}.db`);
    await unpackTemporal(version, databaseFile);
    const database = await createEmptyDatabase();
    await loadDatabase(version, database.url);
    expect(await migrated(database.url)).toMatch(/^applied \d/);
    temporal = await startTemporalServer({
      program: await findTestTemporal(),
      databaseFile,
      logFile: `${databaseFile}.log`,
      port: await anyFreePort(),
      namespace: 'default',
    });
    rig = await startRig({
      temporalAddress: temporal.address,
      takenOver: { database, namespace: kept.namespace },
      actionPlugins: pluginsAfter,
      environment,
    });
    admin = anAdmin(rig.url);
  });
  afterAll(async () => {
    for (const manager of managers) manager.stop();
    await rig.stop();
    await temporal.stop();
  });

  it('all end, each host is maintained, and none stays disabled', async () => {
    await admin.call('POST', `/maintenance/${idOf('paused')}/resume`);
    await continueFailed(admin, idOf('failed'));
    await endHeldMoves(rig.db, fleet.instances);
    managers = situations.map((situation) =>
      startManager({ url: rig.url, projectId: projectOf(situation), policy: acknowledge }),
    );
    for (const situation of situations) {
      const { percent_done: percentDone } = await untilDone(admin, idOf(situation));
      expect({ situation, percentDone }).toEqual({ situation, percentDone: 100 });
    }
    expect(await rig.db.simHost.findMany({ where: { disabled: true } })).toEqual([]);
  });

  it('each instance was moved once', async () => {
    const moves = await rig.db.simMove.findMany({ orderBy: { instanceId: 'asc' } });
    expect(moves.map(({ instanceId, status }) => ({ instanceId, status }))).toEqual(
      fleet.instances.map(({ instance_id: instanceId }) => ({ instanceId, status: 'done' })),
    );
  });
});
