/** The commands of `parley` against the real service: typed in this process, and a few as processes of their own. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { stringify } from 'yaml';
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import type { QuestionBody } from '../../../api/schemas/question-schemas';
import type { SessionProgressBody } from '../../../api/schemas/summary-schemas';
import { shortId } from '../../../rules/words/times';
import { aZone } from '../../builders/a-zone';
import { type, type Typed, type Typing } from '../../builders/typed-command';
import { environmentOfRun } from '../../run/environment-of-run';
import { eventually } from '../../waiting/eventually';
import { groupConstraints, instanceConstraints } from '../api/api-under-test';
import { acknowledge } from '../rig/manager';
import { startRelay } from '../rig/relay';
import { type Stage, tellSideBySide } from '../rig/side-by-side';
import { fileFolder } from '../setup/file-folder';

const root = path.join(__dirname, '../../..');
const answered = aZone(0, { hosts: { a: {}, b: {}, spare: {} }, instances: [[1, 'a']] });
const steered = aZone(1, { hosts: { a: {}, b: {}, c: {}, d: {} } });
const watched = aZone(2, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const stored = aZone(3, { hosts: { a: {} } });

const { story, judgeTrace } = tellSideBySide({ zones: [answered, steered, watched, stored] });

const at = ({ rig }: Stage) => ({ url: rig.url.replace(/\/v1$/, '') });

/** @throws Error with the words of the command where it does not end well */
const done = async (stage: Stage, args: readonly string[], typing: Typing = {}): Promise<string> => {
  const { out, err, exitCode } = await type(at(stage), args, typing);
  if (exitCode !== 0) throw new Error(`parley ${args.join(' ')} ended with ${exitCode}: ${err}`);
  return out;
};

const read = async <T>(stage: Stage, args: readonly string[]): Promise<T> =>
  JSON.parse(await done(stage, [...args, '-o', 'json'])) as T;

const fileWith = async (name: string, content: unknown): Promise<string> => {
  const file = path.join(fileFolder(), name);
  await writeFile(file, stringify(content));
  return file;
};

const idIn = (out: string): string => /session\/(\S+)/.exec(out)?.[1] ?? '';

const questionOf = (stage: Stage, project: string, state: string): Promise<QuestionBody> =>
  eventually(`${project} is asked about ${state}`, async () =>
    (await read<QuestionBody[]>(stage, ['questions', '--project', project])).find((one) => one.state === state),
  );

/** The screen of a terminal with this number of columns, and the exit code. */
const inTerminal = (args: string, columns: number, variables: NodeJS.ProcessEnv = {}) =>
  inProcess('script', ['-qec', `stty cols ${columns} rows 24; ${parley} ${args}`, '/dev/null'], variables);

const parley = `${process.execPath} --require ./test/run/run-typescript.cjs cli/main.ts`;

const inProcess = async (command: string, args: readonly string[], variables: NodeJS.ProcessEnv) => {
  const env = { ...environmentOfRun(), HOME: '/nowhere', TERM: 'xterm', ...variables };
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: root, env });
    return { out: stdout, err: stderr, exitCode: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    return { out: stdout, err: stderr, exitCode: code };
  }
};

const linesOf = (out: string): string[] => stripVTControlCharacters(out).split(/\r?\n/);

story(
  'a project is asked and answers; everybody sees the session to its end, and deletes it by name',
  async (stage) => {
    const [host, project, instance] = [answered.host('a'), answered.project(1), answered.instance(1)];
    const stop = new AbortController();
    let events = '';
    const follow = (text: string): void => {
      events += text;
      if (events.includes('the session is done')) stop.abort();
    };
    const file = await fileWith('session.yaml', {
      workflow: 'default',
      hosts: [host],
      maintenance_at: '2026-01-01 00:00:00',
    });
    const id = idIn(await done(stage, ['create', '-f', file]));
    const short = id.slice(0, 8);
    const following = type(at(stage), ['events', '-f', '-s', id], { stop: stop.signal, onOut: follow });

    const { question_id: first } = await questionOf(stage, project, 'MAINTENANCE');
    expect(await done(stage, ['questions', '--project', project])).toMatch(
      /^ID .*LEFT\n\S+ +\S+ +\S+ +MAINTENANCE +the whole session, 1 instance: vm-0-1 on /,
    );
    expect(await done(stage, ['list'])).toMatch(new RegExp(`^${short} +running +MAINTENANCE +0%`, 'm'));
    expect(await done(stage, ['show', short])).toMatch(new RegExp(`^the answer of project ${shortId(project)}`, 'm'));
    expect(await done(stage, ['explain', host, '-s', short])).toContain(
      `waits for the answer of project ${shortId(project)}`,
    );
    expect(await done(stage, ['explain', instance, '-s', short])).toMatch(/^instance vm-0-1 .*\n {2}waits for/);
    expect((await type(at(stage), ['reply', 'ffffffff', 'ack'])).exitCode).toBe(1);
    await done(stage, ['reply', first.slice(0, 8), 'ack']);
    const { question_id: second } = await questionOf(stage, project, 'PREPARE_MAINTENANCE');
    const wrong = await type(at(stage), ['reply', second, 'ack', '--action', 'EVICTION']);
    expect(wrong).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^parley: .*EVICTION(.|\n)*LIVE_MIGRATE/) as unknown,
    });
    await done(stage, ['reply', second, 'ack', '--action', `${instance}=MIGRATE`]);
    const { question_id: last } = await questionOf(stage, project, 'MAINTENANCE_COMPLETE');
    await done(stage, ['reply', `question/${last}`, 'ack']);
    const { out, exitCode } = await type(at(stage), ['watch', short, '--exit-status', '--interval', '0.2']);
    expect({ end: out.split('\n').at(-2), exitCode }).toEqual({ end: `session/${short} is done`, exitCode: 0 });
    expect((await stage.db.claim.findMany({ where: { sessionId: id } })).map(({ action }) => action)).toEqual([
      'MIGRATE',
    ]);

    expect((await following).exitCode).toBe(130);
    expect(events).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  ${short}  ${host} is empty: its maintenance begins$`, 'm'),
    );
    expect(await done(stage, ['events', '-s', id])).toContain(events.split('\n')[1]);

    const asked = { isAnswerable: true, ask: () => Promise.resolve('yes') };
    expect((await type(at(stage), ['delete', id], asked)).exitCode).toBe(3);
    expect((await type(at(stage), ['delete', id])).exitCode).toBe(2);
    await done(stage, ['delete', id], { ...asked, ask: () => Promise.resolve(short) });
    const gone = await eventually('the session is gone', async () => {
      const shown = await type(at(stage), ['show', id]);
      return shown.exitCode === 0 ? undefined : shown;
    });
    expect(gone).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`no maintenance session ${shortId(id)}`) as unknown,
    });
  },
);

story('an admin plans, creates from the plan, and steers with every control', async (stage) => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => steered.host(name)) as [string, string, string];
  const start = new Date(Date.now() + 3_600_000).toISOString();
  const given = ['--hosts', [a, b, c].join(), '--workflow', 'vnf', '--start', start];
  expect(await done(stage, ['plan', ...given])).toMatch(
    /^HOST (.|\n)*^Plan: 3 hosts, 0 moves, 0 questions. It would end in/m,
  );
  const plan = await read<PlanBody>(stage, ['plan', ...given]);
  expect(plan.completes).toBe(true);
  const id = idIn(await done(stage, ['create', '--from-plan', await fileWith('plan.yaml', plan), '-o', 'name']));
  const shown = async (...more: string[]) => done(stage, ['show', id, ...more]);
  expect(await shown()).toMatch(/^Progress +scheduled, MAINTENANCE$/m);
  const planned = await read<PlanBody>(stage, ['plan', id]);
  expect(planned.hosts.map(({ hostname }) => hostname).sort()).toEqual([a, b, c]);

  expect(await done(stage, ['pause', id])).toContain(`session/${id} paused`);
  expect(await shown()).toMatch(/^parley resume \S+ +the session goes on at once$/m);
  await done(stage, ['resume', id]);
  await done(stage, ['hosts', 'first', c, '-s', id]);
  await done(stage, ['hosts', 'skip', b, '-s', id]);
  expect(await shown('--hosts', '--phase', 'skipped')).toMatch(new RegExp(`^NAME .*\n${b} .*\n$`));
  await done(stage, ['hosts', 'retry', `host/${b}`, '-s', `session/${id}`]);
  await done(stage, ['set', id, 'max_parallel_hosts=1']);
  await done(stage, ['patch', id, '-p', '{deadline: 2027-01-01T00:00:00Z}']);
  expect(await stage.admin.detail(id)).toMatchObject({
    session: { max_parallel_hosts: 1, deadline: '2027-01-01T00:00:00.000Z' },
  });

  expect((await type(at(stage), ['abort', id])).exitCode).toBe(2);
  await done(stage, ['abort', id, '--yes']);
  const ended = await type(at(stage), ['watch', id, '--exit-status', '--interval', '0.2']);
  expect(ended).toMatchObject({ exitCode: 5, err: expect.stringContaining('was aborted') as unknown });
  const refused = await type(at(stage), ['continue', id, '--state', 'SCALE_IN']);
  expect(refused).toMatchObject({ exitCode: 1, err: expect.stringMatching(/SCALE_IN(.|\n)*MAINTENANCE/) as unknown });
  await done(stage, ['set', id, `maintenance_at=${new Date().toISOString()}`]);
  await done(stage, ['continue', id, '--state', 'MAINTENANCE']);
  await done(stage, ['watch', id, '--exit-status', '--interval', '0.2']);
  const { hosts } = await stage.admin.detail(id);
  expect(hosts.map(({ maintained }) => maintained)).toEqual([true, true, true]);
});

story('watch goes on when the API is away and comes back, with and without a terminal', async (stage) => {
  stage.manage(watched.project(1), acknowledge);
  const relay = await startRelay(stage.rig.url);
  const id = await stage.admin.create({
    hosts: [watched.host('a')],
    maintenance_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const screens: string[] = [];
  const lines: string[] = [];
  const terminal = { isTerminal: true, columns: () => 60, onOut: (text: string) => screens.push(text) };
  const watch = ['watch', id, '--exit-status', '--interval', '0.2'];
  const both: Promise<Typed>[] = [
    type(relay, watch, terminal),
    type(relay, watch, { onOut: (text) => lines.push(text), onErr: (text) => lines.push(text) }),
  ];
  const sees = (text: string) =>
    eventually(`both have seen "${text}"`, () =>
      Promise.resolve([screens, lines].every((seen) => seen.join('').includes(text)) || undefined),
    );
  await sees('scheduled');
  await relay.goAway();
  await sees('API does not answer');
  await relay.comeBack();
  await eventually('the API answers again', () =>
    Promise.resolve(lines.join('').includes('answers again') || undefined),
  );
  await done(stage, ['set', id, `maintenance_at=${new Date().toISOString()}`]);
  expect((await Promise.all(both)).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  await relay.close();
  const widths = screens.flatMap(linesOf).map(({ length }) => length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(60);
  // Each line once, though two processes of the API have told them.
  const told = lines
    .join('')
    .split('\n')
    .filter((line) => / is maintained and back$/.test(line));
  expect(told).toHaveLength(1);
});

story('constraints are stored one by one, what is refused is named, and read and deleted again', async (stage) => {
  const [instance, group] = [stored.instance(1), stored.group(1)];
  const groups = [groupConstraints({ group_id: group, project_id: stored.project(1) })];
  const good = instanceConstraints({ instance_id: instance, group_id: group, project_id: stored.project(1) });
  const bad = { ...good, instance_id: stored.instance(2), lead_time: -1 };
  const imported = await type(at(stage), [
    'constraints',
    'import',
    '-f',
    await fileWith('many.yaml', { instances: [bad, good], groups }),
  ]);
  expect(imported.out).toBe(`group/${group} stored (1 of 3)\ninstance/${instance} stored (3 of 3)\n`);
  expect(imported).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/1 entry of 3 was refused\n.*lead_time/) as unknown,
  });
  await done(stage, ['constraints', 'set', '-f', await fileWith('one.yaml', { ...good, lead_time: 77 })]);
  expect(await read(stage, ['constraints', 'get', 'instance', instance])).toMatchObject({ lead_time: 77 });
  await done(stage, ['constraints', 'delete', 'instance', instance]);
  await done(stage, ['constraints', 'delete', 'group', group]);
  expect((await type(at(stage), ['constraints', 'get', 'instance', instance])).exitCode).toBe(1);
});

story('processes end with the codes that scripts use, and fit a terminal of 60 columns', async (stage) => {
  const { url } = at(stage);
  const away = await inProcess('sh', ['-c', `${parley} list`], { PARLEY_URL: 'http://127.0.0.1:9' });
  expect(away).toMatchObject({
    exitCode: 6,
    out: '',
    err: expect.stringMatching(/no answer from the API at .*\n.*PARLEY_URL/) as unknown,
  });
  const wrong = await inProcess('sh', ['-c', `${parley} list --outptu json`], {});
  expect(wrong).toMatchObject({ exitCode: 2, err: expect.stringContaining('Did you mean --output?') as unknown });
  const id = await stage.admin.create({
    hosts: [stored.host('a')],
    maintenance_at: new Date(Date.now() + 3_600_000).toISOString(),
    workflow: 'vnf',
    // Without one, a note about that takes the lines of the screen.
    actions: [{ plugin: 'dummy', type: 'host' }],
  });
  const looked = await inTerminal(`watch ${id} --timeout 1 --interval 0.5`, 60, { PARLEY_URL: url });
  expect(looked.exitCode).toBe(3);
  expect(looked.out).toContain('\u001b[1mYOU CAN\u001b[');
  const plain = await inTerminal(`show ${id}`, 60, { PARLEY_URL: url, NO_COLOR: '1' });
  expect(plain.out).not.toContain('\u001b');
  for (const { out } of [looked, plain]) {
    expect(linesOf(out).filter(({ length }) => length > 60)).toEqual([]);
    expect(out).toContain(id);
  }
  const all = await read<SessionProgressBody[]>(stage, ['list']);
  expect(all.map(({ session_id: one }) => one)).toContain(id);
  await stage.admin.call('DELETE', `/maintenance/${id}`);
});

judgeTrace();
