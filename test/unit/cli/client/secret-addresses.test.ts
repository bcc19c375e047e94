/** `parley calendar`. */
import { examples } from '../../../../api/openapi/examples';
import { type } from '../../../builders/typed-command';
import { type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

const project = examples.Coming.project_id;
const path = `/v1/projects/${project}/calendar`;
const whoami = { 'GET /v1/whoami': { body: { role: 'project', project_id: project } } };

it('shows the address of the calendar once, when it is made', async () => {
  api.answers({ ...whoami, [`POST ${path}`]: { body: examples.SecretAddressMade } });
  expect((await type(api, ['calendar', 'create'])).out).toBe(
    `calendar/${project} made\n${examples.SecretAddressMade.url}\nIt is not shown again. Whoever has it needs no token.\n`,
  );
});

it('tells since when there is one', async () => {
  api.answers({ [`GET ${path}`]: { body: examples.SecretAddress } });
  expect((await type(api, ['calendar', 'get', '--project', project])).out).toBe(
    `calendar/${project} made at ${examples.SecretAddress.created_at}\n`,
  );
});

it('withdraws it only when that is confirmed', async () => {
  api.answers({ ...whoami, [`DELETE ${path}`]: {} });
  expect((await type(api, ['calendar', 'delete'])).exitCode).toBe(2);
  expect((await type(api, ['calendar', 'delete', '--yes'])).out).toBe(`calendar/${project} withdrawn\n`);
});
