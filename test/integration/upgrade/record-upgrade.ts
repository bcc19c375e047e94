/**
 * Leaves a session of each situation under way, and keeps the service as it then is in test/upgrades, by the version of
 * package.json. It is run once, with the code of a version that is about to be released (docs/design/versions.md).
 */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import Long from 'long';
import { anyFreePort } from '../../../cli/stack/ports';
import { findTemporalProgram } from '../../../cli/stack/temporal-program';
import { ownVersion } from '../../../startup/own-version';
import { eventually } from '../../waiting/eventually';
import { untilDone, untilFailed } from '../continue/continued-session';
import { startTemporalOfFile, type TemporalOfFile } from '../restore/backup';
import { type Admin, anAdmin } from '../rig/admin';
import { untilMoving } from '../rig/held-moves';
import { type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { fileFolder } from '../setup/file-folder';
import { folderOfUpgrades, keepDatabase, keepDescription, keepTemporal } from './kept-service';
import {
  environment,
  fleet,
  instanceOf,
  pluginsBefore,
  policyBefore,
  projectOf,
  requestOf,
  type Situation,
  situations,
  yearSeconds,
} from './sessions-under-way';

const version = ownVersion();

let databaseFile: string;
let temporal: TemporalOfFile;
let rig: Rig;
let admin: Admin;
let managers: readonly Manager[] = [];

beforeAll(async () => {
  databaseFile = path.join(fileFolder(), 'temporal.db');
  temporal = await startTemporalOfFile({
    program: await findTemporalProgram({ env: process.env, tell: () => undefined }),
    databaseFile,
    logFile: `${databaseFile}.log`,
    port: await anyFreePort(),
    namespace: 'default',
  });
  rig = await startRig({ fleet, temporalAddress: temporal.address, actionPlugins: pluginsBefore, environment });
  await keepHistoriesForLong();
  admin = anAdmin(rig.url);
  managers = situations.map((situation) =>
    startManager({ url: rig.url, projectId: projectOf(situation), policy: policyBefore(situation) }),
  );
});
afterAll(async () => {
  for (const manager of managers) manager.stop();
  await rig.stop();
  await temporal.stop();
});

/** A failed session is continued from its history, however old the record is by then. */
const keepHistoriesForLong = async (): Promise<void> => {
  const { workflowService, options } = rig.client;
  const workflowExecutionRetentionTtl = { seconds: Long.fromNumber(100 * yearSeconds) };
  await workflowService.updateNamespace({ namespace: options.namespace, config: { workflowExecutionRetentionTtl } });
};

const untilAsked = async (sessionId: string, state: string): Promise<void> => {
  await eventually({ what: `a question of ${state} is open`, ...admin.watching(sessionId) }, async () => {
    const where = { sessionId, state, status: 'open', replyAt: { not: null } };
    return (await rig.db.question.count({ where })) > 0 || undefined;
  });
};

const untilMaintained = async (sessionId: string, hosts: number): Promise<void> => {
  await eventually({ what: `${hosts} hosts are maintained`, ...admin.watching(sessionId) }, async () => {
    return (await rig.db.sessionHost.count({ where: { sessionId, maintained: true } })) >= hosts || undefined;
  });
};

const bringTo: Record<Situation, (sessionId: string) => Promise<unknown>> = {
  'asked about its beginning': (sessionId) => untilAsked(sessionId, 'MAINTENANCE'),
  'asked about an instance': async (sessionId) => {
    await untilMaintained(sessionId, 1);
    await untilAsked(sessionId, 'PLANNED_MAINTENANCE');
  },
  moving: () => untilMoving(rig.db, { instanceId: instanceOf('moving') }),
  'in maintenance': (sessionId) =>
    eventually({ what: 'its plug-in runs', ...admin.watching(sessionId) }, async () => {
      return (await rig.db.actionPluginInstance.count({ where: { sessionId, status: 'running' } })) > 0 || undefined;
    }),
  paused: async (sessionId) => {
    await admin.call('POST', `/maintenance/${sessionId}/pause`);
    return eventually('it is paused', async () => {
      return (await admin.detail(sessionId)).session['paused_at'] !== null || undefined;
    });
  },
  failed: (sessionId) => untilFailed(admin, sessionId),
  done: (sessionId) => untilDone(admin, sessionId),
};

it('keeps a service with a session in each situation', async () => {
  await mkdir(path.join(folderOfUpgrades, version), { recursive: true });
  const sessionIds: Record<string, string> = {};
  for (const situation of situations) {
    sessionIds[situation] = await admin.create(requestOf(situation));
    await bringTo[situation](sessionIds[situation]);
  }
  await rig.stopWorker();
  await keepDatabase(version, rig.settings.databaseUrl);
  await temporal.backUp();
  await keepTemporal(version, `${databaseFile}.kept`);
  const migrations = (await readdir(path.join(__dirname, '../../../prisma/migrations'))).filter(isMigration).sort();
  await keepDescription(version, { namespace: rig.settings.temporalNamespace, migrations, sessionIds });
});

const isMigration = (name: string): boolean => /^\d+_/.test(name);
