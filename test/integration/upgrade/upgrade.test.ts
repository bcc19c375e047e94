/**
 * Sessions that an earlier version left under way end under the version of now: its rows are migrated, and its Temporal
 * server goes on with its histories (docs/design/versions.md).
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { startTemporalServer } from '../../../cli/stack/temporal-server';
import { findTestTemporal } from '../../run/find-temporal';
import { continueFailed, untilDone } from '../continue/continued-session';
import { type Admin, anAdmin } from '../rig/admin';
import { endHeldMoves } from '../rig/held-moves';
import { acknowledge, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { startedParts } from '../rig/started-parts';
import { fileFolder } from '../setup/file-folder';
import { migrated } from '../setup/migrating-process';
import { createEmptyDatabase } from '../setup/test-database';
import { folderOfUpgrades, keptDescription, type KeptService, loadDatabase, unpackTemporal } from './kept-service';
import { environment, fleet, pluginsAfter, projectOf, type Situation, situations } from './sessions-under-way';

describe.each(readdirSync(folderOfUpgrades))('sessions that %s left under way', (version) => {
  let kept: KeptService;
  let rig: Rig;
  let admin: Admin;
  const parts = startedParts();
  const idOf = (situation: Situation): string => kept.sessionIds[situation]!;

  beforeAll(async () => {
    kept = await keptDescription(version);
    const databaseFile = path.join(fileFolder(), `temporal-${version}.db`);
    await unpackTemporal(version, databaseFile);
    const database = await createEmptyDatabase();
    parts.endsBy(database.drop);
    await loadDatabase(version, database.url);
    expect(await migrated(database.url)).toMatch(/^applied \d/);
    const temporal = await startTemporalServer({
      program: await findTestTemporal(),
      databaseFile,
      logFile: `${databaseFile}.log`,
      port: await anyFreePort(),
      namespace: 'default',
    });
    parts.endsBy(temporal.stop);
    rig = await startRig({
      temporalAddress: temporal.address,
      takenOver: { database, namespace: kept.namespace },
      actionPlugins: pluginsAfter,
      environment,
    });
    parts.endsBy(() => rig.stop());
    admin = anAdmin(rig.url);
  });
  afterAll(() => parts.endAll());

  it('all end, each host is maintained, and none stays disabled', async () => {
    await admin.call('POST', `/maintenance/${idOf('paused')}/resume`);
    await continueFailed(admin, idOf('failed'));
    await endHeldMoves(rig.db, fleet.instances);
    for (const situation of situations) {
      const manager = startManager({ url: rig.url, projectId: projectOf(situation), policy: acknowledge });
      parts.endsBy(() => {
        manager.stop();
        return Promise.resolve();
      });
    }
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
