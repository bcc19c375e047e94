import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { examples } from '../../../../api/openapi/examples';
import { type } from '../../../builders/typed-command';
import { type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
let folder: string;
beforeAll(async () => {
  api = await startFakeApi();
  folder = await mkdtemp(path.join(os.tmpdir(), 'parley-tools-'));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const id = examples.SessionSummary.session_id;
const session = `/v1/maintenance/${id}`;
const list = { 'GET /v1/maintenance': { body: examples.SessionList } };
const summary = { [`GET ${session}/detail?view=summary`]: { body: examples.SessionSummary } };
const problem = (status: number, detail = 'it is refused') => ({
  status,
  body: {
    ...examples.Problem,
    status,
    detail,
    errors: [{ pointer: '/hosts/1', message: 'is not known' }],
    hint: 'see',
  },
});

const aHost = { type: 'compute', session_id: null, zone: null, labels: {}, seems_gone: null };
const twoHosts = [
  { ...aHost, hostname: 'a' },
  { ...aHost, hostname: 'b', session_id: id, zone: 'east', labels: { rack: 'r1', zone: 'east' } },
];
const creations = () => api.received.filter(({ path: at }) => at === '/v1/maintenance');

describe('list and show', () => {
  it('has a line for each session, which cut and awk can read', async () => {
    api.answers(list);
    const { out, exitCode } = await type(api, ['list']);
    const [titles, row] = out.trimEnd().split('\n');
    expect(titles?.split(/ +/)).toEqual(['ID', 'PROGRESS', 'STATE', 'DONE', 'HOSTS', 'ENDS-IN', 'AGE', 'NAME']);
    expect(row?.split(/ +/).slice(0, 6)).toEqual([
      '47479bca',
      'running',
      'PLANNED_MAINTENANCE',
      '50%',
      '1/2',
      '10m24s',
    ]);
    expect(exitCode).toBe(0);
  });

  it('says that an end is rough', async () => {
    const sessions = [{ ...(examples.SessionSummary as object), end_from: 'records' }];
    api.answers({ 'GET /v1/maintenance': { body: { session_id: [id], sessions } } });
    expect((await type(api, ['list'])).out).toContain(' ~10m24s ');
  });

  it('says so where there is none', async () => {
    api.answers({ 'GET /v1/maintenance': { body: { session_id: [], sessions: [] } } });
    expect((await type(api, ['list'])).out).toContain('There are no sessions');
  });

  it.each([
    { output: 'json', read: (text: string) => JSON.parse(text) as unknown, shown: examples.SessionSummary },
    { output: 'yaml', read: (text: string) => parse(text) as unknown, shown: examples.SessionSummary },
    { output: 'name', read: (text: string) => text, shown: `session/${id}\n` },
  ])('gives scripts $output', async ({ output, read, shown }) => {
    api.answers(summary);
    expect(read((await type(api, ['show', id, '-o', output])).out)).toEqual(shown);
  });

  it.each([
    { how: 'by the beginning of its ID', given: ['4747'] },
    { how: 'by its ID from -o name', given: [`session/${id}`] },
    { how: 'by its name', given: ['kernel of rack 7'] },
    { how: 'as the one that is not over', given: [] },
  ])('finds a session $how', async ({ given }) => {
    api.answers({ ...list, ...summary });
    expect((await type(api, ['show', ...given])).out).toContain(id);
  });

  it('shows hosts that match', async () => {
    api.answers({ [`GET ${session}/detail?phase=emptying`]: { body: examples.SessionDetail } });
    const { out } = await type(api, ['show', id, '--hosts', '--phase', 'draining']);
    expect(out).toMatch(/compute-2 +draining +\S+ +1 +the answer of project/);
  });

  it('says what is known of a host beside its wait', async () => {
    const host = examples.SessionDetail.hosts.find(({ hostname }) => hostname === 'compute-2');
    const hosts = [{ ...host, details: 'instance web-1 came to it' }];
    api.answers({ [`GET ${session}/detail`]: { body: { ...examples.SessionDetail, hosts } } });
    const { out } = await type(api, ['show', id, '--hosts', '-o', 'wide']);
    expect(out.replace(/\s+/g, ' ')).toContain('; instance web-1 came to it');
  });
});

describe('exit codes', () => {
  it.each([
    { situation: 'the API refuses', args: ['show', id], answer: problem(422), exitCode: 1 },
    { situation: 'the usage is wrong', args: ['show', id, '--none'], answer: {}, exitCode: 2 },
    { situation: 'a value is none of the choices', args: ['list', '-o', 'xml'], answer: {}, exitCode: 2 },
    { situation: 'there is no such command', args: ['lst'], answer: {}, exitCode: 2 },
    { situation: 'the token is not known', args: ['show', id], answer: problem(401), exitCode: 4 },
    { situation: 'the token may not do it', args: ['show', id], answer: problem(403), exitCode: 4 },
    { situation: 'another server answers', args: ['show', id], answer: { status: 502, body: 'x' }, exitCode: 1 },
    { situation: 'help is asked for', args: ['show', '--help'], answer: {}, exitCode: 0 },
  ])('$exitCode when $situation', async ({ args, answer, exitCode }) => {
    api.answers({ [`GET ${session}/detail?view=summary`]: answer });
    expect((await type(api, args)).exitCode).toBe(exitCode);
  });

  it('6 when nothing answers', async () => {
    const gone = await startFakeApi();
    await gone.close();
    const { err, exitCode } = await type(gone, ['pause', id]);
    expect(exitCode).toBe(6);
    expect(err).toContain('no answer from the API');
  });

  it('tells the words of the API, with what is wrong and what would help', async () => {
    api.answers({ [`GET ${session}/detail?view=summary`]: problem(422) });
    expect((await type(api, ['show', id])).err).toBe(
      'parley: it is refused\n  --hosts, entry 2: is not known\n  see\n',
    );
    api.answers({ [`GET ${session}/detail?view=summary`]: problem(422, 'compute-1 is not known') });
    expect((await type(api, ['show', id])).err).toBe('parley: compute-1 is not known\n  see\n');
  });
});

describe('controls', () => {
  it.each(['pause', 'resume', 'abort'])('%s says what is in flight', async (request) => {
    api.answers({ [`POST ${session}/${request}`]: { body: examples.SessionInFlight } });
    const { out, exitCode } = await type(api, [request, id, ...(request === 'abort' ? ['--yes'] : [])]);
    expect(out).toContain(`session/${id} `);
    expect(out).toContain('in flight: 1 host, 1 move, 0 questions, 0 plug-ins');
    expect(exitCode).toBe(0);
  });

  it.each([
    { situation: 'nobody can be asked', typing: {}, exitCode: 2 },
    {
      situation: 'another name is typed',
      typing: { isAnswerable: true, ask: () => Promise.resolve('yes') },
      exitCode: 3,
    },
  ])('does nothing dangerous where $situation', async ({ typing, exitCode }) => {
    api.answers({ [`DELETE ${session}`]: {} });
    expect((await type(api, ['delete', id], typing)).exitCode).toBe(exitCode);
    expect(api.received).toEqual([]);
  });

  it('deletes where the name is typed', async () => {
    api.answers({ [`DELETE ${session}`]: {} });
    const ask = () => Promise.resolve('47479bca');
    expect((await type(api, ['delete', id], { isAnswerable: true, ask })).out).toBe(`session/${id} deleted\n`);
  });

  it('continues from a state', async () => {
    api.answers({ [`PUT ${session}`]: { body: examples.SessionResumed } });
    await type(api, ['continue', id, '--state', 'PLANNED_MAINTENANCE']);
    expect(api.received[0]?.body).toEqual({ state: 'PLANNED_MAINTENANCE' });
  });

  it('changes fields, and takes them away', async () => {
    api.answers({ [`PATCH ${session}`]: { body: examples.SessionChanged } });
    await type(api, ['set', id, 'max_parallel_hosts=2', 'windows=', 'canary={hosts: [a], then: resume}']);
    const canary = { hosts: ['a'], then: 'resume' };
    expect(api.received[0]?.body).toEqual({ max_parallel_hosts: 2, windows: null, canary });
    await type(api, ['patch', id, '-p', '{"deadline": null}']);
    expect(api.received[1]?.body).toEqual({ deadline: null });
  });

  it.each(['skip', 'retry', 'first'])('asks for %s of each host that is named', async (request) => {
    const path = `POST ${session}/hosts/a%2Fb/${request}`;
    api.answers({
      [path]: { body: examples.SteeredHost },
      [`POST ${session}/hosts/c/${request}`]: { body: examples.SteeredHost },
    });
    const { out } = await type(api, ['hosts', request, 'a/b', 'host/c', '-s', id]);
    expect(out.split('\n').filter((line) => line.startsWith('host/'))).toHaveLength(2);
  });

  it('says where nothing was changed, because the host was so already', async () => {
    const body = { ...(examples.SteeredHost as object), phase: 'waiting', changed: false };
    api.answers({ [`POST ${session}/hosts/a/retry`]: { body } });
    expect((await type(api, ['hosts', 'retry', 'a', '-s', id])).out).toContain(
      'host/a is waiting already: nothing was changed',
    );
  });

  it('lists the hosts of the cloud, with the sessions that have them', async () => {
    api.answers({ ...list, 'GET /v1/choices': { body: { hosts: twoHosts, workflows: [], action_plugins: [] } } });
    const { out } = await type(api, ['hosts', 'list']);
    expect(out).toMatch(/^a +compute +- +- +- +-$/m);
    expect(out).toMatch(/^b +compute +47479bca +kernel of rack 7 +east +-$/m);
  });

  it.each([
    { select: 'zone=east', shown: 'b', hidden: 'a' },
    { select: '!zone', shown: 'a', hidden: 'b' },
  ])('lists only the hosts that $select selects, with their labels', async ({ select, shown, hidden }) => {
    api.answers({ ...list, 'GET /v1/choices': { body: { hosts: twoHosts, workflows: [], action_plugins: [] } } });
    const { out } = await type(api, ['hosts', 'list', '--select', select, '-o', 'wide']);
    expect(out).toMatch(new RegExp(`^${shown} +compute`, 'm'));
    expect(out).not.toMatch(new RegExp(`^${hidden} +compute`, 'm'));
    expect(out.includes('rack=r1 zone=east')).toBe(shown === 'b');
  });

  it('asks nobody for the hosts of a text that is no selector', async () => {
    api.answers({});
    const typed = await type(api, ['hosts', 'list', '--select', 'zone in east']);
    expect(typed.err).toContain('--select is not understood from "zone in east" on');
    expect([typed.exitCode, api.received]).toEqual([2, []]);
  });

  it.each([
    { hosts: ['a', 'b', 'c'], refused: ['a', 'c'], err: '2 hosts of 3 were refused\n  2 of them: host … is done; ' },
    { hosts: ['a', 'b', 'c'], refused: ['a'], err: '1 host of 3 was refused\n  host/a: host a is done; ' },
    { hosts: ['a'], refused: ['a'], err: 'host a is done\n' },
  ])('skips the others of $hosts where $refused are refused', async ({ hosts, refused, err }) => {
    const answerOf = (host: string) =>
      refused.includes(host) ? problem(422, `host ${host} is done`) : { body: examples.SteeredHost };
    api.answers(Object.fromEntries(hosts.map((host) => [`POST ${session}/hosts/${host}/skip`, answerOf(host)])));
    const typed = await type(api, ['hosts', 'skip', ...hosts, '-s', id]);
    expect(typed.err).toContain(`parley: ${err}`);
    expect(typed.out.split('\n').filter((line) => line.startsWith('host/'))).toHaveLength(
      hosts.length - refused.length,
    );
    expect(typed.exitCode).toBe(1);
  });

  it('asks for no further host where nobody answers', async () => {
    api.answers({ [`POST ${session}/hosts/a/skip`]: { cut: true }, [`POST ${session}/hosts/b/skip`]: { cut: true } });
    expect((await type(api, ['hosts', 'skip', 'a', 'b', '-s', id])).exitCode).toBe(6);
    expect(api.received.map(({ path: at }) => at)).not.toContain(`${session}/hosts/b/skip`);
  });

  it.each([
    { args: [], shown: /^name\n {4}What admins call the session/m },
    { args: [id], shown: /^max_failed_hosts=1\n {4}A host whose drain/m },
    { args: [id], shown: /^windows=\n {4}Maintenance windows/m },
  ])('says what can be set, and what is set: $args', async ({ args, shown }) => {
    api.answers({ [`GET ${session}/detail`]: { body: examples.SessionDetail } });
    expect((await type(api, ['set', ...args])).out).toMatch(shown);
  });

  it('gives programs what is set', async () => {
    api.answers({ [`GET ${session}/detail`]: { body: examples.SessionDetail } });
    const { out } = await type(api, ['set', id, '-o', 'json']);
    expect(JSON.parse(out)).toMatchObject({ name: 'kernel of rack 7', max_failed_hosts: 1, windows: null });
  });

  it('sets nothing where no session is named', async () => {
    api.answers({});
    expect((await type(api, ['set', 'max_parallel_hosts=2'])).exitCode).toBe(2);
    expect(api.received).toEqual([]);
  });

  it.each([
    { args: ['--name', 'kernel of rack 7'], name: 'kernel of rack 7' },
    { args: [], name: undefined },
  ])('creates a session with the name of $args', async ({ args, name }) => {
    api.answers({ 'POST /v1/maintenance': { body: { session_id: id } } });
    await type(api, ['create', '--hosts', 'a', ...args]);
    expect(creations()[0]?.body).toEqual(expect.objectContaining({ hosts: ['a'] }));
    expect((creations()[0]?.body as { name?: string }).name).toBe(name);
  });

  it('sends a request again where no answer came, and a create request with the same key', async () => {
    api.answers({ 'POST /v1/maintenance': [{ cut: true }, { body: { session_id: id } }] });
    const { out, err } = await type(api, ['create', '--hosts', 'a,b', '--workflow', 'vnf']);
    expect(out).toBe(`session/${id} created\n`);
    expect(err).toContain('parley watch 47479bca');
    const [first, second] = creations();
    expect(first?.headers['idempotency-key']).toBe(second?.headers['idempotency-key']);
    expect(first?.body).toMatchObject({ hosts: ['a', 'b'], workflow: 'vnf', state: 'MAINTENANCE', metadata: {} });
  });
});

describe('plan and create', () => {
  it('plans from a file, and creates from the plan', async () => {
    const [file, planFile] = [path.join(folder, 'session.yaml'), path.join(folder, 'plan.json')];
    await writeFile(file, 'hosts: [compute-1]\nworkflow: vnf\nmax_parallel_hosts: 3\n');
    api.answers({ 'POST /v1/maintenance/plan': { body: examples.Plan } });
    await writeFile(planFile, (await type(api, ['plan', '-f', file, '-o', 'json'])).out);
    expect(api.received[0]?.body).toMatchObject({ hosts: ['compute-1'], workflow: 'vnf', max_parallel_hosts: 3 });
    api.answers({ 'POST /v1/maintenance': { body: { session_id: id } } });
    await type(api, ['create', '--from-plan', planFile, '--start', '2026-12-01 22:00:00']);
    expect(creations()[0]?.body).toEqual({ ...examples.Plan.request, maintenance_at: '2026-12-01 22:00:00' });
  });

  it.each([
    { what: 'comes to its end', completes: true, exitCode: 0 },
    { what: 'would not come to its end', completes: false, exitCode: 5 },
  ])('tells scripts by $exitCode that the session $what', async ({ completes, exitCode }) => {
    api.answers({ 'POST /v1/maintenance/plan': { body: { ...examples.Plan, completes } } });
    expect((await type(api, ['plan', '--hosts', 'a', '--exit-status'])).exitCode).toBe(exitCode);
  });

  it.each([
    { args: ['--select', 'zone=east'], says: { select: { labels: 'zone=east' } } },
    {
      args: ['--hosts', 'a', '--select', 'zone=east', '--except', 'b,c'],
      says: { hosts: ['a'], select: { labels: 'zone=east', except: ['b', 'c'] } },
    },
    { args: ['--hosts', 'all', '--except', 'b*', '--yes'], says: { hosts: [], select: { except: ['b'] } } },
    {
      args: ['--set', 'select={labels: zone=west}', '--select', 'zone=east'],
      says: { select: { labels: 'zone=west' } },
    },
  ])('plans and creates for the hosts of $args', async ({ args, says }) => {
    const choices = { 'GET /v1/choices': { body: { hosts: twoHosts, workflows: [], action_plugins: [] } } };
    api.answers({
      ...{ ...choices, 'POST /v1/maintenance/plan': { body: examples.Plan } },
      'POST /v1/maintenance': { body: { session_id: id } },
    });
    await type(api, ['plan', ...args.filter((one) => one !== '--yes')]);
    await type(api, ['create', ...args]);
    const asked = api.received.filter(({ path: at }) => at.startsWith('/v1/maintenance'));
    expect(asked.length).toBeGreaterThan(1);
    for (const { body } of asked) expect(body).toMatchObject(says);
  });

  it('takes every other field of the session by --set, its value in YAML', async () => {
    api.answers({ 'POST /v1/maintenance': { body: { session_id: id } } });
    const set = ['--set', 'max_failed_hosts=1', '--set', 'canary={hosts: 1, then: continue}'];
    await type(api, ['create', '--hosts', 'a', ...set]);
    expect(creations()[0]?.body).toMatchObject({
      ...{ hosts: ['a'], max_failed_hosts: 1, canary: { hosts: 1, then: 'continue' } },
    });
  });

  it('prints totals last, and creates nothing on a dry run', async () => {
    api.answers({ 'POST /v1/maintenance/plan': { body: examples.Plan } });
    const { out } = await type(api, ['create', '--hosts', 'all', '--dry-run']);
    expect(out).toMatch(/compute-1 +compute +1 +\+28s +\+1m8s +\+16m8s/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^Plan: 1 host, 1 move, 1 question\. It would end in 16m38s/);
    expect(api.received.map(({ path: asked }) => asked)).toEqual(['/v1/maintenance/plan']);
  });

  it.each([
    { situation: 'nothing says which session', args: ['create'] },
    { situation: 'two files are given', args: ['create', '-f', 'a', '--from-plan', 'b'] },
    { situation: 'the file is not there', args: ['create', '-f', '/nowhere'] },
    { situation: 'the file holds no object', args: ['create', '-f', '-'] },
    { situation: 'the list of hosts is empty', args: ['create', '--hosts', '', '--yes'] },
    { situation: 'the list of hosts has only commas', args: ['create', '--hosts', ' , ', '--yes'] },
    { situation: 'the list of exceptions is empty', args: ['create', '--select', 'zone=a', '--except', '', '--yes'] },
    { situation: 'all hosts and some are meant', args: ['create', '--hosts', 'all', '--select', 'zone=a', '--yes'] },
    { situation: 'every host is meant and nobody can be asked', args: ['create', '--hosts', 'all'] },
  ])('is wrong usage where $situation', async ({ args }) => {
    api.answers({});
    expect((await type(api, args, { input: '[1, 2]' })).exitCode).toBe(2);
    expect(api.received).toEqual([]);
  });
});

describe('create for every host', () => {
  const answering = (answer: string) => ({ isAnswerable: true, ask: () => Promise.resolve(answer) });
  it.each([
    { given: 'all hosts', args: ['--hosts', 'all'], typing: answering('yes'), exitCode: 3 },
    { given: 'all hosts, confirmed', args: ['--hosts', 'all'], typing: answering('all'), exitCode: 0 },
    { given: 'all hosts and --yes', args: ['--hosts', 'all', '--yes'], typing: {}, exitCode: 0 },
    { given: 'a file without hosts', args: ['-f', '-'], typing: { input: 'workflow: vnf' }, exitCode: 2 },
    { given: 'a file with an empty list', args: ['-f', '-'], typing: { input: 'hosts: []' }, exitCode: 2 },
    { given: 'such a file and --yes', args: ['-f', '-', '-y'], typing: { input: 'hosts: []' }, exitCode: 0 },
    { given: 'a file with hosts', args: ['-f', '-'], typing: { input: 'hosts: [a]' }, exitCode: 0 },
  ])('$exitCode by $given', async ({ args, typing, exitCode }) => {
    api.answers({ 'POST /v1/maintenance': { body: { session_id: id } } });
    expect((await type(api, ['create', ...args], typing)).exitCode).toBe(exitCode);
    expect(creations()).toHaveLength(exitCode === 0 ? 1 : 0);
  });
});

describe('create, where the plan', () => {
  const blocker = (kind: string, severity: string) => ({
    ...{ ...examples.Plan.blockers[0], kind, severity, owner: 'operator' },
    ...{ because: `${kind} stands there`, help: 'take it away' },
  });
  const stops = { completes: false, blockers: [blocker('no_capacity', 'stops'), blocker('host_disabled', 'note')] };
  const atTerminal = (answer: string) => ({ isAnswerable: true, ask: () => Promise.resolve(answer) });
  const told = 'would not come to its end:\nstops: no_capacity stands there\n  up to the cloud team: take it away\n';

  it.each([
    { plan: stops, situation: 'stops, with --yes', args: ['--yes'], typing: atTerminal(''), says: told, exitCode: 0 },
    { plan: stops, situation: 'stops, in a script', args: [], typing: {}, says: told, exitCode: 0 },
    { plan: stops, situation: 'stops, declined', args: [], typing: atTerminal('no'), says: told, exitCode: 3 },
    { plan: stops, situation: 'stops, confirmed', args: [], typing: atTerminal('create'), says: told, exitCode: 0 },
    {
      ...{ plan: { blockers: [blocker('nothing_maintained', 'note')] }, situation: 'maintains nothing', args: [] },
      ...{ typing: atTerminal(''), says: 'note: nothing_maintained stands there', exitCode: 0 },
    },
  ])('$situation, says so before anything is created', async ({ plan, args, typing, says, exitCode }) => {
    api.answers({
      'POST /v1/maintenance/plan': { body: { ...examples.Plan, ...plan } },
      'POST /v1/maintenance': { body: { session_id: id } },
    });
    const typed = await type(api, ['create', '--hosts', 'a', ...args], typing);
    expect(typed.err).toContain(says);
    expect(typed.err).not.toContain('host_disabled');
    expect(typed.exitCode).toBe(exitCode);
    expect(creations()).toHaveLength(exitCode === 0 ? 1 : 0);
  });

  it('cannot be made now, goes on all the same', async () => {
    api.answers({
      'POST /v1/maintenance/plan': problem(503, 'too many plans'),
      'POST /v1/maintenance': { body: { session_id: id } },
    });
    const { err, exitCode } = await type(api, ['create', '--hosts', 'a']);
    expect(err).toContain('No plan tells what would stop the session: too many plans');
    expect(exitCode).toBe(0);
  });

  it('is refused, has the API refuse the session itself, which may be there already', async () => {
    const refusal = problem(400, 'the cloud has no host a');
    api.answers({ 'POST /v1/maintenance/plan': refusal, 'POST /v1/maintenance': { body: { session_id: id } } });
    const { out, err } = await type(api, ['create', '--hosts', 'a', '--key', 'k']);
    expect(out).toBe(`session/${id} created\n`);
    expect(err).not.toContain('the cloud has no host');
  });
});

describe('the address and the token', () => {
  it.each([
    { given: 'with /v1', env: (url: string) => ({ PARLEY_URL: `${url}/v1/` }) },
    { given: 'without', env: (url: string) => ({ PARLEY_URL: url }) },
  ])('come from the environment, $given', async ({ env }) => {
    api.answers(list);
    await type(api, ['list'], { env: { ...env(api.url), PARLEY_TOKEN: 'secret' } });
    expect(api.received[0]?.headers['x-auth-token']).toBe('secret');
  });

  it('come from Keystone, whose token is got anew when the API does not know it any more', async () => {
    const body = { token: { expires_at: '2030-01-01T00:00:00Z', user: { id: 'u' } } };
    const login = (token: string) => ({ status: 201, body, headers: { 'x-subject-token': token } });
    api.answers({
      'POST /v3/auth/tokens': [login('old'), login('new')],
      'GET /v1/maintenance': [problem(401), { body: examples.SessionList }],
    });
    const env = { OS_AUTH_URL: api.url, OS_USERNAME: 'me', OS_PASSWORD: 'p', OS_PROJECT_NAME: 'admin' };
    expect((await type(api, ['list'], { env })).exitCode).toBe(0);
    const asked = api.received.filter(({ path: at }) => at === '/v1/maintenance');
    expect(asked.map(({ headers }) => headers['x-auth-token'])).toEqual(['old', 'new']);
  });

  it('is refused by Keystone in its own words, without the password', async () => {
    api.answers({ 'POST /v3/auth/tokens': { status: 401, body: { error: { message: 'no such user' } } } });
    const env = { OS_AUTH_URL: api.url, OS_USERNAME: 'me', OS_PASSWORD: 'hidden', OS_PROJECT_NAME: 'admin' };
    const { err, exitCode } = await type(api, ['list'], { env });
    expect(exitCode).toBe(4);
    expect(err).toContain('no such user');
    expect(err).not.toContain('hidden');
  });

  it('names what is missing of the OS_* variables', async () => {
    const { err, exitCode } = await type(api, ['list'], { env: { OS_AUTH_URL: api.url, OS_USERNAME: 'me' } });
    expect(exitCode).toBe(4);
    expect(err).toContain('OS_PASSWORD, OS_PROJECT_NAME');
  });

  it('come from a context', async () => {
    const file = path.join(folder, 'config.yaml');
    await writeFile(file, `current: lab\ncontexts: {lab: {url: "${api.url}", token_from: LAB_TOKEN}}\n`);
    api.answers(list);
    await type(api, ['list'], { env: { PARLEY_URL: '', PARLEY_CONFIG: file, LAB_TOKEN: 'of-lab' } });
    expect(api.received[0]?.headers['x-auth-token']).toBe('of-lab');
    expect((await type(api, ['list', '--context', 'none'], { env: { PARLEY_CONFIG: file } })).err).toContain(
      'known: lab',
    );
  });
});

describe('freezes', () => {
  it('lists them with their present or next time', async () => {
    api.answers({ 'GET /v1/freezes': { body: examples.FreezeList } });
    const { out } = await type(api, ['freezes', 'list']);
    expect(out).toMatch(/^christmas +to come +2026-12-20T00:00 +2027-01-05T00:00 +no +Nobody is on call$/m);
    api.answers({ 'GET /v1/freezes': { body: { freezes: [] } } });
    expect((await type(api, ['freezes', 'list'])).out).toBe('There are no freezes.\n');
  });

  it('stores one with a range, or with times, and wants a reason', async () => {
    api.answers({ 'PUT /v1/freezes/christmas': { body: examples.Freeze } });
    const { from, until, reason } = examples.WriteFreeze;
    const { out } = await type(api, [
      'freezes',
      'set',
      'christmas',
      ...['--from', from, '--until', until, '--reason', reason],
    ]);
    expect(out).toBe('freeze/christmas stored: from 2026-12-20T00:00:00.000Z until 2027-01-05T00:00:00.000Z\n');
    expect(api.received.at(-1)).toMatchObject({ body: { from, until, reason } });
    await type(api, ['freezes', 'set', 'christmas', '--reason', reason, 'times=[{days: [fri], time_zone: UTC}]']);
    expect(api.received.at(-1)).toMatchObject({ body: { reason, times: [{ days: ['fri'], time_zone: 'UTC' }] } });
    expect((await type(api, ['freezes', 'set', 'christmas', '--until', until])).exitCode).toBe(2);
  });

  it('deletes one after its name was typed', async () => {
    api.answers({ 'DELETE /v1/freezes/christmas': { body: '' } });
    expect((await type(api, ['freezes', 'delete', 'christmas'])).exitCode).toBe(2);
    expect((await type(api, ['freezes', 'delete', 'christmas', '--yes'])).out).toBe('freeze/christmas deleted\n');
  });
});

describe('terms', () => {
  const path = '/v1/projects/web/terms';

  it('shows what a project answers', async () => {
    api.answers({ [`GET ${path}`]: { body: examples.Terms } });
    const { out } = await type(api, ['terms', 'get', 'web']);
    expect(out).toMatch(/^ask +never\ncontact +mailto:web@example.org\nMAINTENANCE: ACK\n/);
    expect(out).toContain('PLANNED_MAINTENANCE: LIVE_MIGRATE\n');
  });

  it('shows what the project tells its cloud', async () => {
    api.answers({ [`GET ${path}/told`]: { body: examples.Terms } });
    expect((await type(api, ['terms', 'told', 'web'])).out).toMatch(/^ask +never\n/);
  });

  it('stores fields, and wants some', async () => {
    api.answers({ [`PUT ${path}`]: { body: examples.Terms } });
    const answers = 'answers={MAINTENANCE: ACK, PLANNED_MAINTENANCE: {action: LIVE_MIGRATE}}';
    expect((await type(api, ['terms', 'set', 'web', 'ask=never', answers])).out).toBe('terms/web stored\n');
    const given = { MAINTENANCE: 'ACK', PLANNED_MAINTENANCE: { action: 'LIVE_MIGRATE' } };
    expect(api.received.at(-1)).toMatchObject({ body: { ask: 'never', answers: given } });
    expect((await type(api, ['terms', 'set', 'web'])).exitCode).toBe(2);
  });

  it('tells when sessions would end with them', async () => {
    api.answers({ [`POST ${path}/preview`]: { body: examples.TermsPreview } });
    const { out } = await type(api, ['terms', 'preview', 'web', 'ask=never']);
    expect(out).toMatch(/^SESSION +ENDS +WITH-TERMS +REASON\n\w+ +2026-04-15 23:40 UTC +2026-04-15 22:35 UTC/);
    expect(api.received.at(-1)).toMatchObject({ body: { ask: 'never' } });
  });

  it('deletes them after the project was typed', async () => {
    api.answers({ [`DELETE ${path}`]: { body: '' } });
    expect((await type(api, ['terms', 'delete', 'web'])).exitCode).toBe(2);
    expect((await type(api, ['terms', 'delete', 'web', '--yes'])).out).toBe('terms/web deleted\n');
  });
});

describe('webhooks', () => {
  const webhooks = { 'GET /v1/webhooks': { body: examples.WebhookList } };
  const { id: webhookId } = examples.Webhook;

  it('are listed with their state, and why one fails', async () => {
    api.answers(webhooks);
    const { out } = await type(api, ['webhooks', 'list']);
    expect(out).toMatch(/^ID .*ADDRESS\n5b1f0d0e +failing +1 +0 +standard .*https:\/\/vnfm.example.org\/parley\n/);
    expect(out).toContain('5b1f0d0e: the receiver answered 503');
  });

  it('are registered with what is told, and the secret is shown', async () => {
    api.answers({ 'POST /v1/webhooks': { body: examples.WebhookCreated } });
    const address = 'https://vnfm.example.org/parley';
    const { out } = await type(api, ['webhooks', 'create', address, '--project', 'p', '--form', 'alarm']);
    expect(api.received.at(-1)?.body).toEqual({ url: address, project_id: 'p', form: 'alarm' });
    expect(out).toContain(examples.WebhookCreated.secret);
  });

  it('are shown with what is pending and what was given up', async () => {
    const [pending] = examples.WebhookDetail.deliveries;
    const body = { ...examples.WebhookDetail, given_up: 1, given_up_deliveries: [{ ...pending, attempts: 31 }] };
    api.answers({ ...webhooks, [`GET /v1/webhooks/${webhookId}`]: { body } });
    const { out } = await type(api, ['webhooks', 'show', 'webhook/5b1f0d0e']);
    expect(out).toMatch(/^Failed .*: the receiver answered 503$/m);
    expect(out).toMatch(/^PENDING: 1 event, the oldest first\nRECORDED .*\n.* 2x .* the receiver answered 503\n/m);
    expect(out).toMatch(/^GIVEN UP: 1 event\nRECORDED .*\n.* 31x .* the receiver answered 503\n/m);
    expect(out).toContain('parley webhooks replay 5b1f0d0e');
  });

  it('are changed, and sent again what was given up', async () => {
    api.answers({
      ...webhooks,
      [`PATCH /v1/webhooks/${webhookId}`]: { body: examples.Webhook },
      [`POST /v1/webhooks/${webhookId}/replay`]: { body: examples.Replayed },
    });
    await type(api, ['webhooks', 'set', '5b1f0d0e', 'enabled=false', 'event_types=[maintenance.planned]']);
    expect(api.received.at(-1)?.body).toEqual({ enabled: false, event_types: ['maintenance.planned'] });
    const { out } = await type(api, ['webhooks', 'replay', '5b1f0d0e']);
    expect(out).toBe(`webhook/${webhookId}: 3 events to be sent again\n`);
  });

  it('get a new secret, which is shown, and keep the old one for a time', async () => {
    api.answers({ ...webhooks, [`POST /v1/webhooks/${webhookId}/secret`]: { body: examples.SecretRotated } });
    const { out } = await type(api, ['webhooks', 'rotate', '5b1f0d0e', '--keep-old', '0']);
    expect(api.received.at(-1)?.body).toEqual({ keep_old_seconds: 0 });
    expect(out).toContain(examples.SecretRotated.secret);
    expect(out).toContain(`until ${examples.SecretRotated.old_secret_until}`);
    await type(api, ['webhooks', 'rotate', '5b1f0d0e']);
    expect(api.received.at(-1)?.body).toEqual({});
    expect((await type(api, ['webhooks', 'rotate', '5b1f0d0e', '--keep-old', 'long'])).exitCode).toBe(2);
  });

  it('are deleted by the beginning of their ID, once it is typed or --yes is given', async () => {
    api.answers({ ...webhooks, [`DELETE /v1/webhooks/${webhookId}`]: { body: '' } });
    expect((await type(api, ['webhooks', 'delete', '5b1f0d0e'])).exitCode).toBe(2);
    expect((await type(api, ['webhooks', 'delete', '5b1f0d0e', '--yes'])).out).toBe(`webhook/${webhookId} deleted\n`);
    expect((await type(api, ['webhooks', 'delete', 'ffff', '--yes'])).exitCode).toBe(1);
  });
});

describe('events', () => {
  const event = (position: number, host: string): string => {
    const payload = { session_id: id, host, state: 'IN_MAINTENANCE' };
    const envelope = { event_type: 'maintenance.host', timestamp: '2026-04-15T11:49:14.000Z', payload };
    return `id: ${position}\nevent: maintenance.host\ndata: ${JSON.stringify(envelope)}\n\n`;
  };

  it('are lines, and the stream goes on after the last event when it is cut, which is told once', async () => {
    const stop = new AbortController();
    api.answers({
      'GET /v1/events?from=now': [
        { text: event(7, 'compute-1') },
        { cut: true },
        { text: event(8, 'compute-2'), stays: true },
      ],
    });
    const onOut = (text: string): void => (text.includes('compute-2') ? stop.abort() : undefined);
    const { out, err, exitCode } = await type(api, ['events', '-f'], { stop: stop.signal, onOut });
    expect(err).toBe('the stream was cut; it is opened again as soon as the API answers\n');
    expect(out).toBe(
      '11:49:14  47479bca  compute-1 is empty: its maintenance begins\n11:49:14  47479bca  compute-2 is empty: its maintenance begins\n',
    );
    expect(api.received.slice(1).map(({ headers }) => headers['last-event-id'])).toEqual(['7', '7']);
    expect(exitCode).toBe(130);
  });

  it('end with what there is where nobody follows', async () => {
    api.answers({ 'GET /v1/events': { text: event(7, 'compute-1'), stays: true } });
    const { out, exitCode } = await type(api, ['events', '-s', id, '-o', 'json']);
    expect(JSON.parse(out)).toMatchObject({ payload: { host: 'compute-1' } });
    expect(exitCode).toBe(0);
  });
});
