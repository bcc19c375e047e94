/** The page in a real browser, on the whole service: what admins and projects do there, one after the other. */
import type { Page } from 'playwright-core';
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import { shortId } from '../../../rules/words/times';
import { faultsToSee } from '../../browser/accessible';
import { takePicture } from '../../browser/picture';
import {
  aConstrainedInstance,
  aFleetFile,
  aFleetGroup,
  aFleetHost,
  aFleetInstance,
  uuidNumber,
} from '../../builders/a-fleet-file';
import { eventually } from '../../waiting/eventually';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { signIn, usePage } from './page-under-test';

const project = uuidNumber(900);
const batchProject = uuidNumber(901);
const web = (number: number) =>
  aConstrainedInstance({
    ...{ instance_id: uuidNumber(number), instance_name: `web-${number}`, host: `compute-${number}`, lead_time: 3_600 },
  });
/** An instance of a project whose manager agrees to everything. */
const batch = (number: number) =>
  aFleetInstance({
    ...{ instance_id: uuidNumber(number), instance_name: `batch-${number}`, host: `compute-${number}` },
    project_id: batchProject,
  });
/** No other host has as many vcpus. */
const largest = aFleetInstance({
  ...{ instance_id: uuidNumber(8), instance_name: 'database', host: 'compute-8', vcpus: 32 },
});
const fleet = aFleetFile({
  hosts: Array.from({ length: 14 }, (_, at) =>
    aFleetHost({ name: `compute-${at + 1}`, ...(at + 1 === 8 && { vcpus: 32 }) }),
  ),
  groups: [aFleetGroup({ recovery_time: 1 })],
  instances: [web(1), web(2), largest, ...[9, 10, 11, 12, 13].map(batch)],
});

/** Work on a host that fails until somebody has mended it. */
let isMended = false;
const firmware: ActionPlugin = {
  name: 'firmware',
  run: () =>
    isMended ? Promise.resolve({ state: null }) : Promise.reject(new ActionPluginFailure('the firmware is locked')),
};

const tokens = { 'token-of-admin': 'admin', 'token-of-project': project };
const page = usePage(tokens, {
  fleet,
  actionPlugins: [firmware],
  environment: { PARLEY_PROJECT_REPLY_SECONDS: '3600' },
});

/** Sessions of other hosts than those that are under work, which nobody is asked about. */
const later = { maintenance_at: '2100-01-01 00:00:00' };

const dialog = (tab: Page) => tab.getByRole('dialog');
/** Asks for something, and confirms it. */
const ask = async (tab: Page, name: string, verb: string): Promise<void> => {
  await tab.getByRole('button', { name, exact: true }).click();
  await dialog(tab).getByRole('button', { name: verb, exact: true }).click();
  await dialog(tab).waitFor({ state: 'hidden' });
};
const heldUpBy = (tab: Page, text: string | RegExp) =>
  tab.getByRole('region', { name: 'What holds it up' }).getByText(text).first().waitFor();
const sessionIn = (tab: Page): string => /#\/sessions\/(.+)$/.exec(tab.url())?.[1] ?? '';
const isIn = (tab: Page, progress: string) =>
  tab.locator('.under-title').getByText(progress, { exact: true }).waitFor();

/** A question about one instance. */
const aboutOne = { name: /^(prepare|planned) maintenance.*, 1 instance/ };

const sessionHosts = [1, 2, 9, 10, 11, 12, 13, 14].map((number) => `compute-${number}`);

describe('a session of eight hosts', () => {
  let admin: Page;
  let manager: Page;
  let batchManager: Manager;

  beforeAll(() => {
    batchManager = startManager({ url: page.rig().url, projectId: batchProject, policy: acknowledge });
  });
  afterAll(() => batchManager.stop());

  it('is planned by an admin and created from its plan, and says whom it waits for', async () => {
    admin = await page.enter('token-of-admin');
    await admin.getByRole('link', { name: 'Plan a session' }).click();
    await admin.getByText('What is done to hosts').click();
    await admin.getByRole('button', { name: 'Add a plug-in' }).click();
    await admin.getByLabel('Plug-in', { exact: true }).fill('dummy');
    await admin.getByText('Name hosts by hand').click();
    await admin.getByLabel('Names of the hosts').fill(sessionHosts.join(' '));
    await admin.getByText('It follows the form.').waitFor();
    expect((await page.admin().call('GET', '/maintenance')).body).toMatchObject({ session_id: [] });
    expect(await faultsToSee(admin)).toEqual([]);
    await takePicture(admin, 'plan');
    await ask(admin, 'Create the session', 'Create');
    await heldUpBy(admin, `the answer of project ${shortId(project)}`);
    expect(await faultsToSee(admin)).toEqual([]);
  });

  it('asks its project, whose person agrees on the page', async () => {
    manager = await page.enter('token-of-project');
    const question = manager.getByRole('article', { name: 'maintenance, 2 instances' });
    await question.getByText('web-1, web-2').waitFor();
    await takePicture(manager, 'project');
    expect(await faultsToSee(manager)).toEqual([]);
    await question.getByRole('button', { name: 'Agree' }).click();
    await dialog(manager).getByRole('button', { name: 'Agree' }).click();
    await question.waitFor({ state: 'hidden' });
    const answered = await page.rig().db.question.findMany({ where: { state: 'MAINTENANCE', projectId: project } });
    expect(answered).toMatchObject([{ status: 'answered', answer: 'ACK' }]);
  });

  it('moves an instance by the action that its project chooses', async () => {
    const question = manager.getByRole('article', aboutOne);
    await question.getByLabel(/^web-/).selectOption('LIVE_MIGRATE');
    await question.getByRole('button', { name: 'Agree' }).click();
    await dialog(manager).getByRole('button', { name: 'Agree' }).click();
    await manager.getByText('LIVE_MIGRATE, done').waitFor();
    await admin.getByRole('button', { name: /^compute-[12] maintained/ }).waitFor();
  });

  it('is paused, says so, and goes on when it is resumed', async () => {
    await heldUpBy(admin, `the answer of project ${shortId(project)}`);
    await takePicture(admin, 'session');
    await takePicture(admin, 'session-dark', { scheme: 'dark' });
    await takePicture(admin, 'session-narrow', { width: 380 });
    await ask(admin, 'Pause', 'Pause');
    await isIn(admin, 'paused');
    expect((await page.admin().detail(sessionIn(admin))).session['paused_at']).not.toBeNull();
    expect(await faultsToSee(admin)).toEqual([]);
    await ask(admin, 'Resume', 'Resume');
    await isIn(admin, 'running');
  });

  it('loses a host once when two admins skip it at the same time, and shows both of them that', async () => {
    await manager.getByRole('article', aboutOne).waitFor();
    const other = await page.enter('token-of-admin', `#/sessions/${sessionIn(admin)}`);
    const tabs = [admin, other];
    for (const tab of tabs) {
      await tab.getByRole('button', { name: /^compute-[12] draining/ }).click();
      await dialog(tab).getByRole('button', { name: 'Skip it' }).click();
      await dialog(tab).getByText('The session goes on without compute-').waitFor();
    }
    await Promise.all(tabs.map((tab) => dialog(tab).getByRole('button', { name: 'Skip', exact: true }).click()));
    for (const tab of tabs) {
      await dialog(tab).getByText('skipped', { exact: true }).waitFor();
      await tab.keyboard.press('Escape');
      await tab.getByRole('button', { name: 'skipped 1' }).waitFor();
    }
    const { hosts } = await page.admin().detail(sessionIn(admin));
    expect(hosts.filter(({ phase }) => phase === 'skipped')).toHaveLength(1);
    await other.context().close();
  });

  it('ends when its project has scaled back, and is deleted by an admin who types its name', async () => {
    const question = manager.getByRole('article', { name: /^maintenance complete/ });
    await question.getByRole('button', { name: 'Agree' }).click();
    await dialog(manager).getByRole('button', { name: 'Agree' }).click();
    await admin.getByText('It is over').waitFor();
    await admin.getByText('1 host was not maintained.').waitFor();
    await admin.getByRole('button', { name: 'Delete', exact: true }).click();
    expect(await dialog(admin).getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await dialog(admin)
      .getByRole('textbox', { name: /^Type / })
      .fill(sessionIn(admin).slice(0, 8));
    await dialog(admin).getByRole('button', { name: 'Delete', exact: true }).click();
    await admin.getByText('There is no session').waitFor();
    expect(await faultsToSee(admin)).toEqual([]);
    await admin.context().close();
    await manager.context().close();
  });
});

describe('a session with an instance that fits on no other host', () => {
  it('says what will stop it, who can act, and that it would not come to its end', async () => {
    const sessionId = await page.admin().create({
      ...{ hosts: ['compute-8'], workflow: 'vnf' },
      actions: [{ plugin: 'firmware', type: 'host' }],
    });
    const tab = await page.enter('token-of-admin', `#/sessions/${sessionId}`);
    const heldUp = tab.getByRole('region', { name: 'What holds it up' });
    await heldUp.getByText('By its plan it will stop:').waitFor();
    await heldUp.getByText('no other enabled compute host is that large, even empty').waitFor();
    await tab.getByText('It would not come to its end').waitFor();
    expect(await heldUp.getByText(/^(delays|note)$/).all()).toEqual([]);
    await takePicture(tab, 'session-stopped');
    expect(await faultsToSee(tab)).toEqual([]);
    await tab.context().close();
  });
});

describe('a session that fails', () => {
  it('says why, and ends well when an admin has mended the cause and continues it', async () => {
    const sessionId = await page.admin().create({
      hosts: ['compute-5'],
      actions: [{ plugin: 'firmware', type: 'host' }],
    });
    const tab = await page.enter('token-of-admin', `#/sessions/${sessionId}`);
    await isIn(tab, 'failed');
    await heldUpBy(tab, /the firmware is locked/);
    await heldUpBy(tab, /repair the cause on host compute-5, then continue the session/);
    await takePicture(tab, 'session-failed');
    expect(await faultsToSee(tab)).toEqual([]);
    isMended = true;
    await ask(tab, 'Continue', 'Continue');
    await tab.getByText('It is done').waitFor();
    await tab.context().close();
  });
});

describe('on bad days the page', () => {
  it('shows what it saw last while the API is away, and what has happened when it is back', async () => {
    const tab = await page.enter('token-of-admin');
    await tab.getByRole('table').waitFor();
    await page.stopApi();
    await tab.getByText('The API does not answer; this is what was seen').waitFor();
    const sessionId = await page.admin().create({ hosts: ['compute-6'], ...later });
    await page.startApi();
    await tab.getByRole('link', { name: sessionId.slice(0, 8) }).waitFor();
    await tab.getByText('Live', { exact: true }).waitFor();
    await tab.context().close();
  });

  it('says at its top what the service lacks, and no more when it has it', async () => {
    const tab = await page.visit();
    const problems = ['a worker does not answer: nothing goes on until one is started'];
    await tab.route('**/readyz', (route) => route.fulfill({ status: 503, json: { ready: false, problems } }));
    await tab.goto(page.address());
    await signIn(tab, 'token-of-admin');
    await tab.getByText('The service is not ready: a worker does not answer').waitFor();
    expect(await faultsToSee(tab)).toEqual([]);
    await tab.unroute('**/readyz');
    await tab.getByText('The service is not ready').waitFor({ state: 'hidden' });
    await tab.context().close();
  });

  it('says in all its parts that the API does not answer when it hangs, and agrees when it is back', async () => {
    const tab = await page.enter('token-of-admin');
    await tab.getByText('Live', { exact: true }).waitFor();
    // Nobody answers these requests.
    for (const path of ['**/readyz', '**/v1/**']) await tab.route(path, () => undefined);
    await tab.getByText('The API does not answer; trying again').waitFor();
    await tab.getByText('The API does not answer; this is what was seen').waitFor();
    const sessionId = await page.admin().create({ hosts: ['compute-14'], ...later });
    await tab.unrouteAll();
    await tab.getByRole('link', { name: sessionId.slice(0, 8) }).waitFor();
    await tab.getByText('Live', { exact: true }).waitFor();
    expect(await tab.getByText('The API does not answer').all()).toEqual([]);
    await tab.context().close();
  });

  it('asks for another token when one has ended, and keeps what was typed', async () => {
    const tab = await page.enter('token-of-admin', '#/new');
    await tab.getByText('Name hosts by hand').click();
    await tab.getByLabel('Names of the hosts').fill('compute-2');
    await tab.getByText('It follows the form.').waitFor();
    page.know({ 'another-token': 'admin' });
    await tab.getByLabel('Names of the hosts').fill('compute-3');
    await dialog(tab).getByText('Sign in again').waitFor();
    await signIn(tab, 'another-token');
    await dialog(tab).waitFor({ state: 'hidden' });
    expect(await tab.getByLabel('Names of the hosts').inputValue()).toBe('compute-3');
    await tab.getByText('It follows the form.').waitFor();
    page.know(tokens);
    await tab.context().close();
  });

  it('catches up after an hour in which its machine slept', async () => {
    const tab = await page.visit();
    await tab.clock.install();
    await tab.goto(page.address());
    await signIn(tab, 'token-of-admin');
    await tab.getByText('Live', { exact: true }).waitFor();
    await tab.context().setOffline(true);
    const sessionId = await page.admin().create({ hosts: ['compute-7'], ...later });
    await tab.clock.fastForward('01:00:00');
    await tab.context().setOffline(false);
    await tab.getByRole('link', { name: sessionId.slice(0, 8) }).waitFor();
    await tab.getByText('Live', { exact: true }).waitFor();
    await tab.context().close();
  });
});

describe('without a mouse', () => {
  it('leads by keys from signing in to a host, and back to the row that was left', async () => {
    const sessionId = await page.admin().create({ hosts: ['compute-3', 'compute-4'], ...later });
    const tab = await page.visit();
    await tab.goto(page.address());
    const focused = () => tab.evaluate<string>('document.activeElement.textContent');
    const tabTo = (text: string) =>
      eventually(`the tab key leads to ${text}`, async () => {
        await tab.keyboard.press('Tab');
        return (await focused()).startsWith(text) || undefined;
      });
    await tab.getByRole('textbox', { name: 'Token' }).waitFor();
    await tab.keyboard.press('Tab');
    await tab.keyboard.type('token-of-admin');
    await tab.keyboard.press('Enter');
    await tab.getByRole('link', { name: sessionId.slice(0, 8) }).waitFor();
    await tabTo(sessionId.slice(0, 8));
    await tab.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'compute-3 waiting' }).waitFor();
    await tabTo('compute-3');
    await tab.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^compute-4/);
    await tab.keyboard.press('Enter');
    await dialog(tab).getByRole('heading', { name: 'compute-4' }).waitFor();
    await tab.keyboard.press('Escape');
    await dialog(tab).waitFor({ state: 'hidden' });
    expect(await focused()).toMatch(/^compute-4/);
    await tab.context().close();
  });
});
