import { examples } from '../../../../api/openapi/examples';
import { type } from '../../../builders/typed-command';
import { type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

const project = examples.Coming.project_id;
const path = `GET /v1/projects/${project}/coming`;
const whoami = (body: object) => ({ 'GET /v1/whoami': { body } });

it('lists what is coming for the project of the token', async () => {
  api.answers({ ...whoami({ role: 'project', project_id: project }), [path]: { body: examples.Coming } });
  expect((await type(api, ['coming', '-o', 'wide'])).out).toMatch(
    /web-1 .* inquiring +LIVE_MIGRATE +2026-04-15T22:00 +2026-04-15T21:40 to 2026-04-15T22:30 .* 47479bca +an update/,
  );
});

it('lists it for the project that an admin names', async () => {
  api.answers({ [path]: { body: { ...examples.Coming, coming: [] } } });
  expect((await type(api, ['coming', '--project', project])).out).toBe('Nothing is coming.\n');
});

it('asks an admin which project is meant', async () => {
  api.answers(whoami({ role: 'admin' }));
  const { err, exitCode } = await type(api, ['coming']);
  expect([err, exitCode]).toEqual([expect.stringContaining('--project ID'), 2]);
});
