/**
 * Sessions whose own workflow broke after its set-up had accepted it: they fail once more and say why, in bounded time;
 * mended, they go on.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createSweepActivities } from '../../../activities/upkeep/sweep-activities';
import { aWorkflowPackage } from '../../builders/a-workflow-package';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { askToContinue, continueFailed, untilDone, untilFailed } from '../continue/continued-session';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import type { Admin } from '../rig/admin';

const zone = aZone(0, { hosts: { unloadable: {}, unreplayable: {} } });

let packages: PackageRig;
let rig: PackageRig['rig'];
let admin: Admin;

beforeAll(async () => {
  packages = await startPackageRig({ fleet: aFleetOfZones([zone]) });
  ({ rig, admin } = packages);
});

afterAll(() => packages.stop());

/** How the states of packages that were accepted fail at first. */
const faults = {
  unloadable: {
    state: 'MAINTENANCE',
    code: "throw new RangeError('not yet');",
    says: 'MAINTENANCE: RangeError: not yet',
  },
  unreplayable: { state: 'WATCHING', code: "return 'WACTHING';", says: 'WATCHING leads to WACTHING, which' },
} as const;

const createFailing = async (host: keyof typeof faults): Promise<string> => {
  const { state, code, says } = faults[host];
  const file = `/${host}-workflow.zip`;
  packages.server.serve(file, aWorkflowPackage(code, { state }));
  const download = [`${packages.server.url}${file}`];
  const sessionId = await admin.create({ hosts: [zone.host(host)], state, workflow: 'own', download });
  const { session } = await untilFailed(admin, sessionId);
  expect(session).toMatchObject({ prev_state: state, failure: expect.stringContaining(says) as string });
  expect(session.failure).toContain('workflow own');
  return sessionId;
};

const moduleOf = (sessionId: string): string => path.join(packages.root, sessionId, 'workflow', 'own.js');

/** The number of the session's failures, and its present state. */
const failuresOf = async (sessionId: string) => {
  const { session } = await admin.detail(sessionId);
  const events = await rig.db.event.findMany({ where: { sessionId } });
  const failed = events.filter(({ payload }) => (payload as { state: string }).state === 'MAINTENANCE_FAILED');
  return { session, count: failed.length };
};

it('fails once more, and is not tried for ever, where its module does not run any more', async () => {
  const sessions = await Promise.all([createFailing('unloadable'), createFailing('unreplayable')]);
  const [, unreplayable] = sessions;
  const sources = await Promise.all(sessions.map((sessionId) => readFile(moduleOf(sessionId), 'utf8')));
  for (const sessionId of sessions) await writeFile(moduleOf(sessionId), "throw new Error('the disk is broken');");
  const itsHosts = { where: { sessionId: unreplayable } };
  await rig.db.sessionHost.updateMany({ ...itsHosts, data: { disabled: true, disabledBefore: false } });
  await rig.restartWorker();
  for (const sessionId of sessions) expect((await askToContinue(admin, sessionId)).status).toBe(200);
  for (const sessionId of sessions) {
    await eventually('it has failed again', async () => (await failuresOf(sessionId)).count === 2 || undefined);
  }
  await createSweepActivities(rig.services).sweepOnce();
  const failures = await Promise.all(sessions.map(failuresOf));
  // The history has the states before WATCHING, which would differ now. Before MAINTENANCE there is nothing.
  expect(failures).toMatchObject(
    ['MAINTENANCE', 'WATCHING'].map((prev_state) => ({
      count: 2,
      session: { state: 'MAINTENANCE_FAILED', prev_state, resuming: false },
    })),
  );
  const [ofUnloadable, ofUnreplayable] = failures.map(({ session }) => session.failure);
  expect(ofUnloadable).toContain('workflow own: the disk is broken');
  expect(ofUnreplayable).toMatch(/workflow own of the packages does not run: .* \(left disabled: .*unreplayable\)/s);
  const { status } = await rig.client.workflow.getHandle(unreplayable).describe();
  expect(status.name).toBe('TERMINATED');
  await rig.db.sessionHost.updateMany({ ...itsHosts, data: { disabled: false } });
  const codes = Object.values(faults).map(({ code }) => code);
  const mended = sources.map((source, index) => source.replace(codes[index]!, "return 'MAINTENANCE_COMPLETE';"));
  await Promise.all(sessions.map((sessionId, index) => writeFile(moduleOf(sessionId), mended[index]!)));
  await rig.restartWorker();
  for (const sessionId of sessions) await continueFailed(admin, sessionId);
  for (const sessionId of sessions) await untilDone(admin, sessionId);
});
