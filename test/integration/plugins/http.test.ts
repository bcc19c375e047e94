/**
 * The action plug-in `http` against servers that play AWX, Rundeck, Jenkins and GitHub Actions: each by the example
 * that the documents show, with workers that stop, and answers that are lost.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ActionPluginFailure, type ActionPluginRun } from '../../../plugins/actions/action-plugin';
import { createHttpPolicy, type OtherSystems } from '../../../plugins/actions/http/ask';
import { createHttpPlugin } from '../../../plugins/actions/http/http';
import { parseSecrets } from '../../../plugins/actions/http/secrets';
import { parseAllowedSource } from '../../../plugins/addresses/allowed-source';
import { resolveHost } from '../../../plugins/addresses/resolve-host';
import { type JobServer, type JobSystem, jobSystems, startJobServer } from '../../builders/job-servers';
import { eventually } from '../../waiting/eventually';

const servers: JobServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

const exampleFor = (system: JobSystem, url: string): Record<string, unknown> => {
  const file = path.join(__dirname, '../../../examples/http', `${system}.json`);
  const said = readFileSync(file, 'utf8')
    .replaceAll(/https:\/\/[a-z]+\.(example\.org|github\.com)/g, url)
    .replaceAll(/"every_seconds": \d+/g, '"every_seconds": 1');
  const { metadata } = JSON.parse(said) as { metadata: Record<string, unknown> & { follow: object[] } };
  return { ...metadata, follow: metadata.follow.map((step) => ({ every_seconds: 1, ...step })) };
};

const reaching = (url: string, system: string): OtherSystems => ({
  policy: createHttpPolicy([parseAllowedSource(`${url}/`)!]),
  secrets: () => parseSecrets(JSON.stringify({ [system]: { value: 's3cret', for: `${url}/` } })),
  ...{ resolveHost, proxies: {}, proxyResolves: false },
});

const onServer = async (system: JobSystem, changes: Record<string, unknown> = {}) => {
  const server = await startJobServer(system);
  servers.push(server);
  const plugin = createHttpPlugin(reaching(server.url, system === 'github-actions' ? 'github' : system));
  const metadata = { ...exampleFor(system, server.url), ...changes };
  let kept: unknown;
  const run = (given: Partial<ActionPluginRun> = {}) =>
    plugin.run({
      session: { id: '47479bca-7f0e-4000-8000-000000000001', workflow: 'vnf', state: 'PLANNED_MAINTENANCE' },
      host: { name: 'compute-1', type: 'compute' },
      ...{ metadata, earlierAttempts: 0, kept, log: () => undefined },
      signal: new AbortController().signal,
      keep: (value) => {
        kept = value;
        return Promise.resolve();
      },
      ...given,
    });
  const clear = () =>
    plugin.clear?.({
      session: { id: '47479bca-7f0e-4000-8000-000000000001' },
      ...{ host: { name: 'compute-1', type: 'compute' as const }, metadata, kept },
    });
  const begun = () => eventually('a job has begun', () => Promise.resolve(server.jobs[0]));
  return { server, run, clear, begun, kept: () => kept };
};

describe.each(jobSystems)('a job of %s', (system) => {
  it('is started with the host and a key, followed to its end, and carries its secret', async () => {
    const { server, run, begun, clear } = await onServer(system);
    const running = run();
    const job = await begun();
    expect(job.given).toContain('compute-1');
    job.status = 'done';
    expect(typeof (await running).state).toBe('string');
    expect(server.jobs).toHaveLength(1);
    const secrets = server.requests.map(({ headers }) => headers.authorization ?? headers['x-rundeck-auth-token']);
    expect(new Set(secrets)).toEqual(new Set(['s3cret']));
    expect(await clear()).toBeUndefined();
  });

  it('that fails, fails the host', async () => {
    const { run, begun } = await onServer(system);
    const failed = expect(run()).rejects.toThrow(/the job has failed \((failed|FAILURE|failure)\)/);
    (await begun()).status = 'failed';
    await failed;
  });

  it('is cancelled when its session is aborted, and before its host is given back', async () => {
    const { run, begun, clear, kept } = await onServer(system);
    const aborted = new AbortController();
    const ended = expect(run({ signal: aborted.signal })).rejects.toThrow();
    const job = await begun();
    await eventually('its values are known', () =>
      Promise.resolve(Object.keys((kept() as { values?: object } | undefined)?.values ?? {}).length > 0 || undefined),
    );
    await eventually('it is followed', () =>
      Promise.resolve(system !== 'jenkins' || (kept() as { stepsDone: number }).stepsDone === 1 || undefined),
    );
    aborted.abort(new Error('aborted'));
    await ended;
    expect(job.status).toBe('cancelled');
    expect(await clear()).toBeUndefined();
  });

  it('goes on when its worker stops, and the next worker follows it', async () => {
    const { server, run, begun, kept } = await onServer(system);
    const stopped = new AbortController();
    const first = expect(run({ signal: stopped.signal, isWorkerStopping: () => true })).rejects.toThrow();
    const job = await begun();
    await eventually('its start is on record', () =>
      Promise.resolve((kept() as { values?: object } | undefined)?.values),
    );
    stopped.abort(new Error('WORKER_SHUTDOWN'));
    await first;
    expect(job.status).toBe('running');
    const second = run();
    job.status = 'done';
    await second;
    expect(server.jobs).toHaveLength(1);
  });
});

it.each(['awx', 'rundeck', 'github-actions'] as const)(
  'a job of %s whose start was answered with 502 is found again, and not started twice',
  async (system) => {
    const { server, run, begun } = await onServer(system);
    server.failNext('POST', 502);
    const running = run();
    (await begun()).status = 'done';
    await running;
    expect(server.jobs).toHaveLength(1);
  },
);

it('a job that was cancelled in vain keeps its host, until it is over', async () => {
  const { server, run, begun, clear } = await onServer('awx');
  const aborted = new AbortController();
  const ended = expect(run({ signal: aborted.signal })).rejects.toThrow();
  const job = await begun();
  await eventually('it is followed', () => Promise.resolve(server.requests.length > 1 || undefined));
  server.failNext('POST', 500);
  aborted.abort(new Error('aborted'));
  await ended;
  job.status = 'running';
  expect(await clear()).toBe(`the job (${server.url}/api/v2/jobs/1/)`);
  job.status = 'failed';
  expect(await clear()).toBeUndefined();
});

const launch = '/api/v2/job_templates/7/launch/';

it.each([
  { what: 'another host', startAt: () => ({ url: 'https://elsewhere.example.org/' }), says: /PARLEY_HTTP_ALLOW/ },
  { what: 'a refusal', startAt: (url: string) => ({ url: `${url}/none` }), says: /start: .* answered 404$/ },
  {
    what: 'an answer without the value',
    startAt: (url: string) => ({ url: url + launch, body: { extra_vars: {} }, keep: { nothing: '/no' } }),
    says: /no nothing to keep/,
  },
])('fails where the start meets $what', async ({ startAt, says }) => {
  const { server, run } = await onServer('awx');
  const { headers } = exampleFor('awx', server.url);
  const failure = await run({ metadata: { headers, start: startAt(server.url) } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ActionPluginFailure);
  expect(String(failure)).toMatch(says);
  expect(String(failure)).not.toContain('s3cret');
});
