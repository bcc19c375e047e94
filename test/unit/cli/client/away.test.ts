/** An API that hangs, is away, or lacks something: each command says so, with its exit code. */
import { examples } from '../../../../api/openapi/examples';
import { type } from '../../../builders/typed-command';
import { eventually } from '../../../waiting/eventually';
import { type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

const id = examples.SessionSummary.session_id;
const session = `/v1/maintenance/${id}`;
const look = `GET ${session}/detail?view=summary`;
const patience = { firstMs: 20, probeMs: 200 };
const hangs = { hangs: true } as const;
const notReady = { status: 503, body: { ready: false, problems: ['a worker does not answer: start one'] } };
const none = { status: 404, body: { ...examples.Problem, status: 404, detail: 'it is gone' } };

describe('an API that hangs', () => {
  it.each([
    ['list', 'GET /v1/maintenance'],
    [`show ${id}`, look],
    [`watch ${id}`, look],
    [`pause ${id}`, `POST ${session}/pause`],
    [`hosts skip compute-1 -s ${id}`, `POST ${session}/hosts/compute-1/skip`],
    ['questions', 'GET /v1/questions'],
    ['webhooks list', 'GET /v1/webhooks'],
    ['events', 'GET /v1/events'],
    ['events -f', 'GET /v1/events?from=now'],
    [`plan ${id}`, `GET ${session}/plan`],
    ['constraints get instance x', 'GET /v1/instance/x'],
  ])('is given up by `parley %s`', async (command, request) => {
    api.answers({ [request]: hangs, 'GET /healthz': hangs, 'GET /v1/events?from=now': hangs });
    const { err, exitCode } = await type(api, command.split(' '), { patience });
    expect(err).toContain('no answer from the API at');
    expect(err).toContain('it hangs');
    expect(exitCode).toBe(6);
  });

  it('may have done what it was asked for, which the command says', async () => {
    api.answers({ [`POST ${session}/pause`]: hangs, 'GET /healthz': hangs });
    const { err } = await type(api, ['pause', id], { patience });
    expect(err).toContain('may have been carried out');
  });

  it('is not taken for one that only takes long, as with a large plan', async () => {
    api.answers({ [`GET ${session}/plan`]: hangs, 'GET /healthz': { body: { status: 'ok' } } });
    const stop = new AbortController();
    const typed = type(api, ['plan', id], { patience, stop: stop.signal });
    await eventually('its health was asked twice', () =>
      Promise.resolve(api.received.filter(({ path }) => path === '/healthz').length > 1 || undefined),
    );
    stop.abort();
    expect((await typed).exitCode).toBe(130);
  });
});

it.each([['events'], ['events -f']])('an API that is away ends `%s` with 6', async (command) => {
  api.answers({ 'GET /v1/events': { cut: true }, 'GET /v1/events?from=now': { cut: true } });
  expect((await type(api, command.split(' '))).exitCode).toBe(6);
});

describe('what the service lacks', () => {
  const answers = {
    'GET /readyz': notReady,
    'GET /v1/maintenance': { body: examples.SessionList },
    [look]: [{ body: examples.SessionSummary }, none],
    [`GET ${session}/detail`]: { body: examples.SessionDetail },
    'GET /v1/events?from=now': none,
  };
  const words = 'The service is not ready: a worker does not answer: start one';

  it.each([['list'], [`show ${id}`], [`show ${id} --hosts`], [`explain ${id}`]])(
    'stands above `parley %s`',
    async (command) => {
      api.answers(answers);
      const { out } = await type(api, command.split(' '));
      expect(out.split('\n').slice(0, 2)).toEqual([words, '']);
    },
  );

  it('stands in the standard error where the output is for programs', async () => {
    api.answers(answers);
    const { out, err } = await type(api, ['list', '-o', 'json']);
    expect(JSON.parse(out)).toEqual(examples.SessionList.sessions);
    expect(err).toBe(`${words}\n`);
  });

  it('is told by `watch` once, and that it is there again', async () => {
    const ready = { body: { ready: true, problems: [] } };
    api.answers({
      ...answers,
      'GET /readyz': [notReady, notReady, ready],
      [look]: [...[1, 2, 3].map(() => ({ body: examples.SessionSummary })), none],
    });
    const { err } = await type(api, ['watch', id, '--interval', '0.01']);
    expect(err.split(words)).toHaveLength(2);
    expect(err).toContain('The service is ready again');
  });

  it('stands at the top of the live picture', async () => {
    api.answers(answers);
    const { out } = await type(api, ['watch', id, '--interval', '0.01'], { isTerminal: true, columns: () => 100 });
    expect(out).toContain(words);
  });
});
