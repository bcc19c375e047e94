import { parseAllDocuments } from 'yaml';
import { examples } from '../../../../api/openapi/examples';
import type { SessionSummaryBody } from '../../../../api/schemas/summary-schemas';
import { replyBody } from '../../../../cli/client/commands/questions';
import { paintFor } from '../../../../cli/client/render/paint';
import { changeLine, watchPicture } from '../../../../cli/client/render/watch';
import { type } from '../../../builders/typed-command';
import { type Answer, type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

const summary = examples.SessionSummary as unknown as SessionSummaryBody;
const id = summary.session_id;
const done = { ...summary, progress: 'done', state: 'MAINTENANCE_DONE', percent_done: 100, ends_at: null } as const;
const failed = { ...summary, progress: 'failed', state: 'MAINTENANCE_FAILED' } as const;
const look = `GET /v1/maintenance/${id}/detail?view=summary`;
const stream = { 'GET /v1/events?from=now': { text: ': hello\n\n', stays: true as const } };
const watch = (looks: readonly Answer[], args: readonly string[] = [], typing = {}) => {
  api.answers({ [look]: looks, ...stream });
  return type(api, ['watch', id, '--interval', '0.01', ...args], typing);
};

const parsedJson = (line: string): unknown => JSON.parse(line);

describe('watch', () => {
  it.each([
    { ends: done, args: [], exitCode: 0, words: 'is done' },
    { ends: done, args: ['--exit-status'], exitCode: 0, words: 'is done' },
    { ends: failed, args: [], exitCode: 0, words: 'has failed' },
    { ends: failed, args: ['--exit-status'], exitCode: 5, words: 'has failed' },
  ])('ends with $exitCode by $args when the session $words', async ({ ends, args, exitCode, words }) => {
    const typed = await watch([{ body: summary }, { body: ends }], args);
    expect(typed.out + typed.err).toContain(words);
    expect(typed.exitCode).toBe(exitCode);
  });

  const why = { kind: 'session_failed', because: 'host compute-2: it broke', help: 'repair it' } as const;
  const broken = { ...failed, blockers: [{ ...summary.blockers[0]!, ...why }] };
  const told = 'has failed: host compute-2: it broke\n  repair it: parley continue 47479bca\n';

  it.each([
    { where: 'in a pipe', args: [], typing: {}, says: told },
    { where: 'in a script that wants the status', args: ['--exit-status'], typing: {}, says: told },
    {
      ...{ where: 'below the picture, which has told why', args: [] },
      ...{ typing: { isTerminal: true }, says: 'has failed\n  parley continue 47479bca\n' },
    },
  ])('says once why the session failed and what helps, $where', async ({ args, typing, says }) => {
    const typed = await watch([{ body: summary }, { body: broken }], args, typing);
    const all = typed.out + typed.err;
    expect(all).toContain(says);
    expect(all.split('it broke')).toHaveLength(2);
  });

  it('prints a line for each change where there is no terminal', async () => {
    const { out } = await watch([{ body: summary }, { body: summary }, { body: done }]);
    expect(out.trimEnd().split('\n')).toHaveLength(3);
    expect(out).toContain('session running, PLANNED_MAINTENANCE  50 %  1 draining, 1 maintained  ends in 10m24s');
  });

  const jsonLines = (out: string) => out.trimEnd().split('\n').map(parsedJson);
  const documents = (out: string) => parseAllDocuments(out).map((one) => one.toJS() as unknown);

  it.each([
    { isTerminal: false, output: 'json', read: jsonLines },
    { isTerminal: true, output: 'json', read: jsonLines },
    { isTerminal: false, output: 'yaml', read: documents },
  ])(
    'gives programs $output, one session for each change (terminal: $isTerminal)',
    async ({ output, read, ...typing }) => {
      const { out, err } = await watch([{ body: summary }, { body: summary }, { body: done }], ['-o', output], typing);
      expect(read(out)).toEqual([summary, done]);
      expect(err).toContain('is done');
    },
  );

  it('has no names to give', async () => {
    expect((await watch([{ body: summary }], ['-o', 'name'])).exitCode).toBe(2);
  });

  it('goes on when the API or its database is away for a while', async () => {
    const refused = (status: number) => ({ status, body: { ...examples.Problem, status } });
    const looks = [{ body: summary }, refused(503), refused(429), { cut: true as const }, { body: done }];
    const { err, exitCode } = await watch(looks, ['--exit-status']);
    expect(err).toContain('the API does not answer; waiting\nthe API answers again\n');
    expect(exitCode).toBe(0);
  });

  it('gives up after its timeout, and says that the session goes on', async () => {
    const { err, exitCode } = await watch([{ body: summary }], ['--timeout', '0.05']);
    expect(err).toContain('it goes on');
    expect(exitCode).toBe(3);
  });

  it('redraws one picture in its place on a terminal', async () => {
    const typing = { isTerminal: true, columns: () => 60, rows: () => 40 };
    const { out } = await watch([{ body: summary }, { body: done }], [], typing);
    expect(out.split('\u001b[J')).toHaveLength(2);
  });
});

describe('the picture', () => {
  const screen = { columns: 60, rows: 20, paint: paintFor(false) };

  it('fits the terminal, and keeps the last events', () => {
    const events = ['one', 'two'];
    const lines = watchPicture({ summary, ageSeconds: 0, events }, screen);
    expect(lines.length).toBeLessThan(screen.rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(lines.slice(-3)).toEqual(['LAST EVENTS', 'one', 'two']);
  });

  it('counts down by itself, and never below zero', () => {
    const at = (ageSeconds: number) =>
      watchPicture({ summary, ageSeconds, events: [] }, { ...screen, columns: 100, rows: 60 }).join('\n');
    expect(at(10)).toMatch(/ends in 10m14s/);
    expect(at(10)).toMatch(/the tenant vepc +8s/);
    expect(at(100)).toMatch(/the tenant vepc +0s/);
  });

  it('says that the API is away', () => {
    expect(watchPicture({ summary, ageSeconds: 9, events: [], awaySeconds: 9 }, screen)[0]).toContain('for 9s');
  });

  it('has no line where nothing has changed', () => {
    expect(changeLine(summary, { ...summary, seconds_left: null })).toBeUndefined();
  });
});

describe('questions and replies', () => {
  const question = examples.QuestionList.questions[0]!;
  const instance = question.instance_ids[0]!;

  it('lists what is asked, about what, and how long still', async () => {
    api.answers({ 'GET /v1/questions': { body: examples.QuestionList } });
    expect((await type(api, ['questions'])).out).toMatch(
      /ab64a3a4 +47479bca +vepc +PLANNED_MAINTENANCE +host compute-2, 1 instance: vnf-2 .* 18s/,
    );
  });

  it('lists all of a session, with who has answered', async () => {
    const settled = { answer: 'ACK', by: 'reply', who: 'web-manager', at: '2026-04-15T11:45:00.000Z' };
    const questions = [
      { ...question, settled },
      { ...question, settled: null },
    ];
    api.answers({ [`GET /v1/questions?session_id=${question.session_id}`]: { body: { questions } } });
    const { out } = await type(api, ['questions', question.session_id, '--all', '-o', 'wide']);
    expect(out.replace(/\s+/g, ' ')).toMatch(/ACK web-manager 2026-04-15 11:45 UTC .* open - -/);
    expect((await type(api, ['questions', question.session_id])).exitCode).toBe(2);
  });

  it('answers at the address of the client', async () => {
    const path = `/v1/maintenance/${question.session_id}/${question.project_id}`;
    api.answers({ 'GET /v1/questions': { body: examples.QuestionList }, [`PUT ${path}`]: {} });
    const { out } = await type(api, ['reply', 'ab64', 'ack', '--action', 'MIGRATE']);
    expect(out).toBe('question/ab64a3a4 answered: ACK_PLANNED_MAINTENANCE\n');
    const instance_actions = { [instance]: 'MIGRATE' };
    expect(api.received[1]?.body).toEqual({ state: 'ACK_PLANNED_MAINTENANCE', instance_actions });
    const not_before = '2026-12-05T22:00:00Z';
    await type(api, ['reply', 'ab64', 'ack', '--not-before', not_before]);
    expect(api.received.at(-1)?.body).toMatchObject({ state: 'ACK_PLANNED_MAINTENANCE', not_before });
  });

  it.each([
    { args: ['reply', 'ab64', 'yes'], exitCode: 2 },
    { args: ['reply', 'ffff', 'ack'], exitCode: 1 },
    { args: ['reply', 'ab6', 'ack'], exitCode: 2 },
    { args: ['reply', '', 'ack'], exitCode: 2 },
  ])('$args ends with $exitCode', async ({ args, exitCode }) => {
    api.answers({ 'GET /v1/questions': { body: examples.QuestionList } });
    expect((await type(api, args)).exitCode).toBe(exitCode);
  });

  it('chooses for one instance where one is asked about', () => {
    const about = { ...question, instance_id: instance };
    expect(replyBody(about, 'ACK', ['MIGRATE'])).toEqual({
      state: 'ACK_PLANNED_MAINTENANCE',
      instance_action: 'MIGRATE',
    });
    expect(replyBody(about, 'NACK', [])).toEqual({ state: 'NACK_PLANNED_MAINTENANCE' });
  });
});
