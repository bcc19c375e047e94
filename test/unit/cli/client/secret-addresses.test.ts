/** `parley calendar` and `parley scheduled-events`. */
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

it('makes the address of scheduled events, for one instance too', async () => {
  const instance = examples.Coming.coming[0]!.instance_id;
  const address = `/v1/projects/${project}/instances/${instance}/scheduledevents/address`;
  api.answers({ ...whoami, [`POST ${address}`]: { body: examples.SecretAddressMade } });
  expect((await type(api, ['scheduled-events', 'create', '--instance', instance])).out).toContain(
    `scheduled-events/${instance} made\n`,
  );
  api.answers({ [`GET ${address.replace(`/instances/${instance}`, '')}`]: { body: examples.SecretAddress } });
  expect((await type(api, ['scheduled-events', 'get', '--project', project])).out).toContain('made at');
});
