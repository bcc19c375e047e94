/** The scripts of examples, run as a new user would, each on hosts of its own: what they tell, and what is left. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import { anOpenWindow } from '../../builders/a-window';
import { aZone, type Zone } from '../../builders/a-zone';
import { aSessionRequest } from '../api/api-under-test';
import { acknowledge, staySilent } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';
import { fileFolder } from '../setup/file-folder';

const root = path.join(__dirname, '../../..');
const hosts = { a: {}, b: {}, c: {}, spare: {} };

const rack = aZone(0, {
  hosts,
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});
const broken = aZone(1, { hosts, instances: [[1, 'a']] });
const silent = aZone(2, { hosts, instances: [[1, 'a']] });

/** The instance on the first host has a place only where the third one takes instances too. */
const full = aZone(3, {
  hosts: { a: { slots: 2 }, b: { slots: 2 }, c: { slots: 2 } },
  instances: [
    [1, 'a', { slots: 2 }],
    [2, 'b', { slots: 1 }],
  ],
});

const breaks: ActionPlugin = {
  name: 'breaks',
  run: ({ host }) =>
    host?.name === broken.host('b')
      ? Promise.reject(new ActionPluginFailure('its firmware is broken'))
      : Promise.resolve({ state: 'done' }),
};

const { story, judgeTrace } = tellSideBySide({
  zones: [rack, broken, silent, full],
  environment: { PARLEY_SIM_SPEED: '100' },
  actionPlugins: [breaks],
});

interface Told {
  readonly zone: Zone;
  readonly FROM?: string;
  readonly TO?: string;
  readonly ACTIONS?: string;
}

/** The script on the hosts a, b and c; to its end. */
const tell = async ({ rig }: Stage, script: string, { zone, ...variables }: Told) => {
  const env = { ...process.env, PARLEY_URL: rig.url.replace(/\/v1$/, ''), POLL_SECONDS: '1', ...variables };
  const names = ['a', 'b', 'c'].map((name) => zone.host(name));
  const { stdout } = await promisify(execFile)(`examples/${script}`, names, { env, cwd: root });
  return { stdout, sessionId: /^session (\S+) is created/.exec(stdout)?.[1] ?? '' };
};

const disabledOf = async ({ rig }: Stage, { hostNames }: Zone): Promise<string[]> => {
  const where = { name: { in: [...hostNames] }, disabled: true };
  return (await rig.cloudDb.simHost.findMany({ where })).map(({ name }) => name);
};

story('one rack is patched tonight, one host first', async (stage) => {
  const { admin, db, manage } = stage;
  manage(rack.project(1), acknowledge);
  const { from, to } = anOpenWindow();
  const { stdout, sessionId } = await tell(stage, 'one-rack/patch-one-rack.sh', { zone: rack, FROM: from, TO: to });
  expect(stdout).toContain('MAINTENANCE_DONE, 100 % of the hosts are maintained');
  const { session } = await admin.detail(sessionId);
  expect(session).toMatchObject({ canary: { hosts: 1, then: 'continue' }, windows: [{ from, to, time_zone: 'UTC' }] });
  const [first, second] = await db.sessionHost.findMany({ where: { sessionId }, orderBy: { drainStartedAt: 'asc' } });
  // No work began on the other hosts before the first one was back.
  expect(second!.drainStartedAt!.getTime()).toBeGreaterThanOrEqual(first!.enabledAt!.getTime());
});

story('a host breaks, the rest goes on', async (stage) => {
  stage.manage(broken.project(1), acknowledge);
  const ACTIONS = JSON.stringify([{ plugin: 'breaks', type: 'host' }]);
  const { stdout } = await tell(stage, 'broken-host/go-on-without.sh', { zone: broken, ACTIONS });
  expect(stdout).toContain('MAINTENANCE_DONE, 66 % of the hosts are maintained');
  expect(stdout).toMatch(new RegExp(`^- ${broken.host('b')}: host ${broken.host('b')}: .*its firmware is broken`, 'm'));
  expect(await disabledOf(stage, broken)).toEqual([broken.host('b')]);
});

story('a tenant never answers: its host is left out', async (stage) => {
  stage.manage(silent.project(1), staySilent);
  const { stdout } = await tell(stage, 'silent-tenant/skip-silent.sh', { zone: silent });
  expect(stdout).toContain('MAINTENANCE_DONE, 66 % of the hosts are maintained');
  expect(stdout).toMatch(new RegExp(`^- ${silent.host('a')}: project ${silent.project(1)} did not answer`, 'm'));
  expect(await disabledOf(stage, silent)).toEqual([]);
});

story(
  'the cloud is too full: the plan tells how much is missing, and the session is created once it is there',
  async (stage) => {
    const { admin, db, manage, rig } = stage;
    manage(full.project(1), acknowledge);
    const [a, c] = [full.host('a'), full.host('c')];
    const setDisabled = (disabled: boolean) => rig.cloudDb.simHost.update({ where: { name: c }, data: { disabled } });
    const request = path.join(fileFolder(), 'request.json');
    await writeFile(request, JSON.stringify(aSessionRequest({ hosts: [a], workflow: 'vnf' })));
    const env = { ...process.env, PARLEY_URL: rig.url.replace(/\/v1$/, '') };
    const look = () => promisify(execFile)('examples/full-cloud/look-before.sh', [request], { env, cwd: root });
    await setDisabled(true);
    const missing = expect.stringMatching(/\d+ vcpus(.|\n)*add or enable a compute host/) as string;
    await expect(look()).rejects.toMatchObject({ code: 1, stderr: missing });
    expect(await db.sessionHost.count({ where: { hostname: a } })).toBe(0);
    await setDisabled(false);
    const { stdout } = await look();
    const sessionId = /"session_id":"([^"]+)"/.exec(stdout)?.[1] ?? '';
    expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
    expect(await disabledOf(stage, full)).toEqual([]);
  },
);

judgeTrace();
