/** The page in a real browser, on the whole service: what admins and projects do there. */
import { graveFindings } from '../../browser/accessible';
import { aConstrainedInstance, aFleetFile, aFleetGroup, aFleetHost, uuidNumber } from '../../builders/a-fleet-file';
import { usePage } from './page-under-test';

const project = uuidNumber(900);
const web = (number: number) =>
  aConstrainedInstance({
    ...{ instance_id: uuidNumber(number), instance_name: `web-${number}`, host: `compute-${number}`, lead_time: 3_600 },
  });

const fleet = aFleetFile({
  hosts: ['compute-1', 'compute-2', 'compute-3', 'compute-4'].map((name) => aFleetHost({ name })),
  groups: [aFleetGroup({ recovery_time: 1 })],
  instances: [web(1), web(2)],
});

const page = usePage(
  { 'token-of-admin': 'admin', 'token-of-project': project },
  { fleet, environment: { PARLEY_PROJECT_REPLY_SECONDS: '3600' } },
);

it('lets an admin plan a session, create it from its plan, and see whom it waits for', async () => {
  const tab = await page.enter('token-of-admin');
  await tab.getByRole('link', { name: 'Plan a session' }).click();
  await tab.getByLabel('Names of the hosts').fill('compute-1 compute-2');
  await tab.getByRole('button', { name: 'Add a plug-in' }).click();
  await tab.getByLabel('Plug-in', { exact: true }).fill('dummy');
  await tab.getByRole('button', { name: 'Plan it' }).click();
  await tab.getByRole('heading', { name: 'When it would end' }).waitFor();
  expect((await page.admin().call('GET', '/maintenance')).body).toMatchObject({ session_id: [] });
  await tab.getByRole('button', { name: 'Create the session' }).click();
  await tab.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const held = tab.getByRole('region', { name: 'What holds it up' });
  await held.getByText(`the answer of project ${project}`).waitFor();
  expect(await graveFindings(tab)).toEqual([]);
});

it('shows a project what it is asked, and takes its reply', async () => {
  const tab = await page.enter('token-of-project');
  const question = tab.getByRole('article', { name: 'maintenance, 2 instances' });
  await question.getByText('web-1, web-2').waitFor();
  expect(await graveFindings(tab)).toEqual([]);
  await question.getByRole('button', { name: 'Agree' }).click();
  await tab.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
  await question.waitFor({ state: 'hidden' });
  const answered = await page.rig().db.question.findMany({ where: { state: 'MAINTENANCE' } });
  expect(answered).toMatchObject([{ status: 'answered', answer: 'ACK' }]);
});
