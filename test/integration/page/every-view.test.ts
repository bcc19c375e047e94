/** Every view and every dialog of the page: in light and dark colours, and in a window as wide as a phone. */
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
import { signIn, usePage } from './page-under-test';

const project = uuidNumber(900);
/** Long, as people name hosts. */
const nameOf = (number: number): string => `compute-${number}.zone-a.region-one.cloud.example.org`;
const fleet = aFleetFile({
  hosts: [1, 2, 3, 4, 5, 6].map((number) => aFleetHost({ name: nameOf(number) })),
  groups: [aFleetGroup({ recovery_time: 1 })],
  instances: [
    aConstrainedInstance({
      ...{ instance_id: uuidNumber(1), instance_name: 'web-1', host: nameOf(1), lead_time: 3_600 },
    }),
    aFleetInstance({ instance_id: uuidNumber(2), instance_name: 'database', host: nameOf(2) }),
    aFleetInstance({ instance_id: uuidNumber(3), instance_name: 'replica', host: nameOf(2) }),
    aFleetInstance({ instance_id: uuidNumber(4), instance_name: 'cache', host: nameOf(5) }),
    aFleetInstance({ instance_id: uuidNumber(5), instance_name: 'queue', host: nameOf(5) }),
  ],
});

const firmware: ActionPlugin = {
  name: 'firmware',
  run: () => Promise.reject(new ActionPluginFailure('the firmware is locked')),
};

const tokens = { 'token-of-admin': 'admin', 'token-of-project': project };
const page = usePage(tokens, {
  fleet,
  actionPlugins: [firmware],
  environment: { PARLEY_PROJECT_REPLY_SECONDS: '3600' },
});

const dialog = (tab: Page) => tab.getByRole('dialog');
const press = (tab: Page, name: string | RegExp) =>
  tab.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click();
const heading = (tab: Page, name: string) => tab.getByRole('heading', { name }).waitFor();

/** Looks at what is shown, and at nothing while something is still looked for. */
const look = async (tab: Page, name: string): Promise<void> => {
  await tab.getByText('Looking…').first().waitFor({ state: 'hidden' });
  await takePicture(tab, `view-${name}`);
  await takePicture(tab, `view-${name}-phone`, { width: 390 });
  expect(await faultsToSee(tab)).toEqual([]);
};

const lookAtDialog = async (tab: Page, name: string): Promise<void> => {
  await dialog(tab).waitFor();
  await look(tab, name);
  await tab.keyboard.press('Escape');
};

describe('for an admin', () => {
  let tab: Page;
  let sessionId: string;

  beforeAll(async () => {
    sessionId = await page.admin().create({
      ...{ hosts: [nameOf(1), nameOf(3)], workflow: 'vnf' },
      actions: [{ plugin: 'dummy', type: 'host' }],
    });
    await eventually('the project is asked about the session', async () => {
      const { status } = await page.admin().call('PUT', `/maintenance/${sessionId}/${project}`, {
        state: 'ACK_MAINTENANCE',
      });
      return status === 200 || undefined;
    });
    tab = await page.enter('token-of-admin');
  });
  afterAll(() => tab.context().close());

  it('signing in, also with a token that is not known', async () => {
    const stranger = await page.visit();
    await stranger.goto(page.address());
    await look(stranger, 'sign-in');
    await signIn(stranger, 'no-such-token');
    await stranger.getByRole('alert').waitFor();
    await look(stranger, 'sign-in-refused');
    await stranger.getByRole('textbox', { name: 'Token' }).fill('another');
    await stranger.getByRole('alert').waitFor({ state: 'hidden' });
    await stranger.context().close();
  });

  it('the sessions', async () => {
    await tab.getByRole('link', { name: shortId(sessionId) }).waitFor();
    await look(tab, 'sessions');
  });

  it('the keys, which do nothing while somebody types, and the menu of a narrow window', async () => {
    await tab.keyboard.press('?');
    await lookAtDialog(tab, 'keys');
    await dialog(tab).waitFor({ state: 'hidden' });
    await tab.keyboard.press('j');
    expect(await tab.evaluate('document.activeElement.textContent')).toBe(shortId(sessionId));
    await tab.keyboard.press('/');
    await tab.keyboard.type('n?');
    expect(await tab.getByPlaceholder('Find by name').inputValue()).toBe('n?');
    await tab.getByText('There is no such session.').waitFor();
    await look(tab, 'no-such-session');
    await press(tab, 'Show all');
    await tab.setViewportSize({ width: 390, height: 844 });
    await press(tab, 'Menu');
    await tab.getByRole('link', { name: 'New session' }).waitFor();
    await look(tab, 'menu');
    await tab.keyboard.press('Escape');
    await tab.getByRole('link', { name: 'New session' }).waitFor({ state: 'hidden' });
    await tab.setViewportSize({ width: 1280, height: 860 });
  });

  it.each([
    { address: '#/sesions', says: 'There is nothing at this address' },
    { address: `#/sessions/${uuidNumber(77)}`, says: `there is no maintenance session ${uuidNumber(77)}` },
    { address: '#/sessions/5e55', says: 'the session_id in the address is not a UUID' },
  ])('a wrong address, $address, from which one comes back', async ({ address, says }) => {
    await tab.goto(`${page.address()}${address}`);
    await tab.getByText(says).first().waitFor();
    await look(tab, `wrong-${address.length}`);
    await tab.getByRole('link', { name: 'Go to the sessions' }).click();
    await heading(tab, 'Sessions');
  });

  it('a new session, whose plan follows the form, and whose refusal stands at its field', async () => {
    await tab.goto(`${page.address()}#/new`);
    const row = (number: number) => tab.getByRole('button', { name: new RegExp(`^${nameOf(number)}`) });
    await row(3)
      .getByText(`in session ${shortId(sessionId)}`)
      .waitFor();
    await look(tab, 'new');
    await tab.getByPlaceholder(/^Find/).fill('compute-4*');
    await press(tab, 'Pick 1 free host');
    await tab.getByPlaceholder(/^Find/).fill('');
    await row(5).click();
    await tab.getByText('Name hosts by hand').click();
    expect(await tab.getByLabel('Names of the hosts').inputValue()).toBe(`${nameOf(4)} ${nameOf(5)}`);
    await heading(tab, 'When it would end');
    await tab.getByText('It follows the form.').waitFor();
    await tab.getByLabel('Workflow').selectOption('k8s');
    await tab.getByText('Pods that somebody may miss').click();
    // This cloud would refuse it: only k8s sends it.
    await tab.getByLabel('Pods with local data').selectOption('delete');
    await look(tab, 'new-k8s');
    await tab.getByLabel('Workflow').selectOption('vnf');
    await tab.getByText('Maintenance windows').first().click();
    await press(tab, 'Add a window');
    await tab.getByText('What is done to hosts').click();
    await press(tab, 'Add a plug-in');
    await tab.getByLabel('Plug-in', { exact: true }).fill('no-such-plug-in');
    const refusal = tab.getByRole('alert');
    await refusal.getByText('Plug-in 1').waitFor();
    await tab.locator('.fold.wrong .fault').getByText('Plug-in 1').waitFor();
    await tab.getByText('This is the last plan, from before your change.').waitFor();
    expect(await tab.getByRole('button', { name: 'Create the session' }).isDisabled()).toBe(true);
    await look(tab, 'new-refused');
    await tab.getByLabel('Plug-in', { exact: true }).fill('dummy');
    await refusal.waitFor({ state: 'hidden' });
    await press(tab, 'Remove window 1');
    await row(2).click({ modifiers: ['Shift'] });
    await tab.getByRole('list', { name: 'Changes' }).getByText('1 host more').waitFor();
    expect(await tab.getByLabel('Names of the hosts').inputValue()).toContain(nameOf(2));
    await look(tab, 'new-planned');
    await press(tab, 'Create the session');
    await lookAtDialog(tab, 'create');
  });

  it('a template, and a session that is planned again', async () => {
    await tab.getByRole('textbox', { name: 'Name for admins' }).fill('kernel');
    await press(tab, 'Keep as a template');
    await tab.getByLabel('Name of the template').fill('kernels');
    await look(tab, 'keep-template');
    await dialog(tab).getByRole('button', { name: 'Keep', exact: true }).click();
    await dialog(tab).waitFor({ state: 'hidden' });
    await tab.goto(`${page.address()}#/new/${sessionId}`);
    await eventually('the hosts of the session are filled in', async () => {
      const names = await tab.getByLabel('Names of the hosts').inputValue();
      return names === `${nameOf(1)} ${nameOf(3)}` || undefined;
    });
    await tab.waitForURL(/#\/new$/);
    await tab.getByLabel('Fill in from').selectOption({ label: 'kernels' });
    await tab.getByText('It follows the form.').waitFor();
    expect(await tab.getByRole('textbox', { name: 'Name for admins' }).inputValue()).toBe('kernel');
    await look(tab, 'new-filled-in');
    await press(tab, 'Undo');
    await eventually('the form of before is back', async () => {
      const names = await tab.getByLabel('Names of the hosts').inputValue();
      return names === `${nameOf(1)} ${nameOf(3)}` || undefined;
    });
  });

  it('a session, with its events since before the page was opened', async () => {
    await tab.goto(`${page.address()}#/sessions/${sessionId}`);
    const events = tab.getByRole('list', { name: 'Events' });
    await events.getByText('the session is at planned maintenance').first().waitFor();
    await tab
      .getByText(`the answer of project ${shortId(project)}`)
      .first()
      .waitFor();
    await look(tab, 'session');
  });

  it.each(['Fleet', 'Moves', 'Burn-down'])('its hosts in the view %s, which stays for the next visit', async (name) => {
    await tab.getByRole('tab', { name }).click();
    await tab.reload();
    await tab.getByRole('tab', { name, selected: true }).waitFor();
    await look(tab, `hosts-${name}`);
    await tab.getByRole('tab', { name: 'Timeline' }).click();
  });

  it.each(['Pause', 'Abort', 'Delete', 'Steer', 'Skip a host'])('the dialog of %s', async (name) => {
    await press(tab, name);
    await lookAtDialog(tab, `ask-${name}`.replaceAll(/\W/g, ''));
  });

  it('a host, with the wait of each of its instances', async () => {
    await tab.getByRole('button', { name: new RegExp(`^${nameOf(1)}`) }).click();
    const instances = dialog(tab).getByRole('list', { name: `Instances on ${nameOf(1)}` });
    await instances.getByText('web-1').waitFor();
    await instances.getByText(`waits for the answer of project ${shortId(project)}`).waitFor();
    await lookAtDialog(tab, 'host');
  });

  it('a project', async () => {
    await tab.goto(`${page.address()}#/projects/${project}`);
    await heading(tab, 'Your instances in maintenance');
    await look(tab, 'project');
  });
});

it('for a project its questions, and the dialogs of both answers', async () => {
  const tab = await page.enter('token-of-project');
  for (const answer of ['Agree', 'Refuse for now']) {
    await tab.getByRole('article').first().getByRole('button', { name: answer }).click();
    await lookAtDialog(tab, `answer-${answer.length}`);
  }
  await look(tab, 'own-project');
  await tab.context().close();
});

it('for a project its week, from which it answers, and its terms with what would follow from them', async () => {
  const postpone = { postpone: { seconds: 86_400 } };
  const sessionId = await page.admin().create({ hosts: [nameOf(5)], workflow: 'vnf', ...postpone });
  const tab = await page.enter('token-of-project', `#/projects/${project}`);
  await press(tab, 'Not before …: cache');
  await dialog(tab)
    .getByLabel('Not before')
    .fill(new Date(Date.now() + 7_200_000).toISOString().slice(0, 16));
  await lookAtDialog(tab, 'not-before');
  await press(tab, 'Not before …: cache');
  await dialog(tab)
    .getByLabel('Not before')
    .fill(new Date(Date.now() + 7_200_000).toISOString().slice(0, 16));
  await dialog(tab).getByRole('button', { name: 'Agree' }).click();
  await dialog(tab).waitFor({ state: 'hidden' });
  const { answer, times } = await page
    .rig()
    .db.question.findFirstOrThrow({ where: { sessionId, state: 'MAINTENANCE' } });
  expect([answer, Object.keys((times as { instanceNotBeforeMs: object }).instanceNotBeforeMs)]).toEqual([
    'ACK',
    [uuidNumber(4)],
  ]);
  await tab.getByLabel('Do we wait for you?').selectOption('never');
  await tab.getByLabel('May instances leave their host, and how?').selectOption('LIVE_MIGRATE');
  await press(tab, 'See what would follow');
  await tab.getByText('with these terms').first().waitFor();
  await press(tab, 'Store');
  await look(tab, 'terms');
  await press(tab, 'Delete');
  await dialog(tab).getByRole('button', { name: 'Delete', exact: true }).click();
  await tab.context().close();
});

it('a session that has ended: when, how long it took and what it did; a failed host stays failed after a skip', async () => {
  const sessionId = await page.admin().create({
    hosts: [nameOf(6)],
    actions: [{ plugin: 'firmware', type: 'host' }],
  });
  const tab = await page.enter('token-of-admin', `#/sessions/${sessionId}`);
  await tab.getByText('It has failed').waitFor();
  await page.admin().call('POST', `/maintenance/${sessionId}/hosts/${nameOf(6)}/skip`);
  await press(tab, 'Continue');
  await dialog(tab).getByRole('button', { name: 'Continue', exact: true }).click();
  await tab.getByText('It is over').waitFor();
  await tab.getByText('No host was maintained.').waitFor();
  await tab.getByText(/^maintained 0 hosts, moved 0 instances/).waitFor();
  for (const fact of ['Began', 'Ended', 'Took']) await tab.getByText(fact, { exact: true }).waitFor();
  const { hosts } = await page.admin().detail(sessionId);
  expect(hosts[0]).toMatchObject({ phase: 'skipped' });
  expect(await tab.locator('.host-bar .span.failed').count()).toBe(1);
  await look(tab, 'done');
  await tab.context().close();
});

it('a host that no work has begun on, with all that is on it', async () => {
  const sessionId = await page.admin().create({ hosts: [nameOf(2)], workflow: 'vnf' });
  const tab = await page.enter('token-of-admin', `#/sessions/${sessionId}`);
  await tab.getByRole('button', { name: new RegExp(`^${nameOf(2)}`) }).click();
  const instances = dialog(tab).getByRole('list', { name: `Instances on ${nameOf(2)}` });
  for (const name of ['database', 'replica']) await instances.getByText(name).waitFor();
  await tab.context().close();
});

it('signing in again when the token has ended', async () => {
  const tab = await page.enter('token-of-admin');
  await heading(tab, 'Sessions');
  page.know({ 'another-token': 'admin' });
  await dialog(tab).getByText('Sign in again').waitFor();
  await look(tab, 'sign-in-again');
  page.know(tokens);
  await tab.context().close();
});
