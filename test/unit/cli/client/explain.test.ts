import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { examples } from '../../../../api/openapi/examples';
import { shortId } from '../../../../rules/words/times';
import { type } from '../../../builders/typed-command';
import { type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

const id = examples.SessionDetail.session_id;
const detail = `GET /v1/maintenance/${id}/detail`;
const summary = { [`${detail}?view=summary`]: { body: examples.SessionSummary } };

describe('explain', () => {
  it('says of a host what it waits for, how long still, and what would help', async () => {
    api.answers({ ...summary, [`${detail}?host=compute-2`]: { body: examples.SessionDetail } });
    const { out } = await type(api, ['explain', 'compute-2', '-s', id]);
    expect(out).toContain('host compute-2: draining for ');
    expect(out).toMatch(/waits for the answer of project .*, 18s at most/);
    expect(out).toContain('parley reply');
  });

  it('counts the instances that only wait for the turn of their host', async () => {
    const { session, hosts, instances } = examples.SessionDetail;
    const [host, instance] = [hosts[0]!, instances[0]!];
    const turn = { ...session.waiting[0]!, waiting_for: 'host', subject: host.hostname, remaining_seconds: null };
    const body = {
      ...examples.SessionDetail,
      session: { ...session, waiting: ['i1', 'i2'].map((who) => ({ ...turn, who })) },
      instances: ['i1', 'i2'].map((one) => ({ ...instance, instance_id: one, host: host.hostname })),
    };
    api.answers({ ...summary, [`${detail}?host=${host.hostname}`]: { body } });
    const { out } = await type(api, ['explain', host.hostname, '-s', id]);
    expect(out).toContain(', 2 instances on it');
    expect(out).toMatch(/\n2 instances on it have not moved yet\n$/);
  });

  it('finds an instance by its name', async () => {
    const none = { ...examples.SessionDetail, hosts: [], instances: [] };
    api.answers({ ...summary, [`${detail}?host=vnf-2`]: { body: none }, [detail]: { body: examples.SessionDetail } });
    const { out } = await type(api, ['explain', 'vnf-2', '-s', id]);
    expect(out).toContain('instance vnf-2');
  });

  it.each([
    ['its ID', id],
    ['its ID without dashes', id.replaceAll('-', '')],
    ['the beginning of its ID', id.slice(0, 8)],
    ['session/ID', `session/${id}`],
  ])('says what a session waits for that is named by %s', async (_, named) => {
    api.answers({
      'GET /v1/maintenance': { body: examples.SessionList },
      [`${detail}?view=summary`]: { body: examples.SessionSummary },
    });
    const { out, exitCode } = await type(api, ['explain', named]);
    expect(exitCode).toBe(0);
    expect(out).toContain(examples.SessionSummary.waiting[0]!.names[0]!);
  });

  it('takes an ID that no session has for that of an instance', async () => {
    const { instances } = examples.SessionDetail;
    const instanceId = instances[0]!.instance_id;
    api.answers({
      ...summary,
      'GET /v1/maintenance': { body: examples.SessionList },
      [`${detail}?host=${instanceId}`]: { body: { ...examples.SessionDetail, hosts: [] } },
      [detail]: { body: examples.SessionDetail },
    });
    expect((await type(api, ['explain', instanceId])).out).toContain(`(${shortId(instanceId)}) on `);
  });

  it('says so where there is no such thing', async () => {
    api.answers({
      ...summary,
      [`${detail}?host=x`]: { body: { ...examples.SessionDetail, hosts: [] } },
      [detail]: { body: examples.SessionDetail },
    });
    const { err, exitCode } = await type(api, ['explain', 'x', '-s', id]);
    expect(exitCode).toBe(1);
    expect(err).toContain('has no host and no instance x');
  });
});

describe('constraints', () => {
  const [group, instance] = [examples.GroupConstraints, examples.InstanceConstraints];
  const at = { group: `/v1/instance_group/${group.group_id}`, instance: `/v1/instance/${instance.instance_id}` };
  const file = JSON.stringify({ instances: [instance], groups: [group] });
  const refusal = { status: 422, body: { ...examples.Problem, detail: 'not so' } };

  it('are imported one by one, groups first, with progress', async () => {
    api.answers({ [`PUT ${at.group}`]: {}, [`PUT ${at.instance}`]: {} });
    const { out } = await type(api, ['constraints', 'import', '-f', '-'], { input: file });
    expect(api.received.map(({ path: asked }) => asked)).toEqual([at.group, at.instance]);
    expect(out).toContain('(2 of 2)');
  });

  it('of which some are refused are stored all the same, and those are named', async () => {
    api.answers({ [`PUT ${at.group}`]: refusal, [`PUT ${at.instance}`]: {} });
    const { out, err, exitCode } = await type(api, ['constraints', 'import', '-f', '-'], { input: file });
    expect(exitCode).toBe(1);
    expect(err).toContain(`group/${group.group_id}: not so`);
    expect(out).toContain(`instance/${instance.instance_id} stored`);
  });

  it('that are refused alike are told once', async () => {
    const others = ['a', 'b'].map((last) => ({ ...group, group_id: `${group.group_id.slice(0, -1)}${last}` }));
    const of = (one: string) => ({ ...refusal, body: { ...refusal.body, detail: `group ${one} is not yours` } });
    api.answers(Object.fromEntries(others.map(({ group_id: one }) => [`PUT /v1/instance_group/${one}`, of(one)])));
    const { err } = await type(api, ['constraints', 'import', '-f', '-'], { input: JSON.stringify(others) });
    expect(err.match(/group … is not yours/g)).toHaveLength(1);
    for (const { group_id: one } of others) expect(err).toContain(`group/${one}`);
  });

  const project = examples.Project.project_id;

  it.each([
    { who: 'a project, as its own', args: [], whoami: { role: 'project', project_id: project }, exitCode: 0 },
    { who: 'an admin, of the one that is named', args: ['--project', project], whoami: { role: 'admin' }, exitCode: 0 },
    { who: 'an admin, who names no project', args: [], whoami: { role: 'admin' }, exitCode: 2 },
  ])('are listed for $who', async ({ args, whoami, exitCode }) => {
    api.answers({ 'GET /v1/whoami': { body: whoami }, [`GET /v1/projects/${project}`]: { body: examples.Project } });
    const typed = await type(api, ['constraints', 'list', ...args]);
    expect(typed.exitCode).toBe(exitCode);
    expect(typed.out.includes('1 group, 1 instance')).toBe(exitCode === 0);
  });

  it('that are listed can be imported', async () => {
    api.answers({ [`GET /v1/projects/${project}`]: { body: examples.Project } });
    const { out: input } = await type(api, ['constraints', 'list', '--project', project, '-o', 'yaml']);
    api.answers({ [`PUT ${at.group}`]: {}, [`PUT ${at.instance}`]: {} });
    expect((await type(api, ['constraints', 'import', '-f', '-'], { input })).exitCode).toBe(0);
    expect(api.received.map(({ body }) => body)).toEqual([group, instance]);
  });

  it('of a group are set again as they are shown', async () => {
    api.answers({ [`GET ${at.group}`]: { body: examples.GroupRecord } });
    const { out: input } = await type(api, ['constraints', 'get', 'group', group.group_id]);
    api.answers({ [`PUT ${at.group}`]: {} });
    await type(api, ['constraints', 'set', '-f', '-'], { input });
    expect(api.received[0]?.body).toEqual(group);
  });

  it('are shown and deleted', async () => {
    api.answers({ [`GET ${at.instance}`]: { body: instance }, [`DELETE ${at.instance}`]: {} });
    const get = await type(api, ['constraints', 'get', 'instance', instance.instance_id]);
    expect(get.out).toContain('lead_time: 30');
    expect((await type(api, ['constraints', 'delete', 'instance', instance.instance_id])).exitCode).toBe(0);
    expect((await type(api, ['constraints', 'get', 'host', 'x'])).exitCode).toBe(2);
  });
});

it('contexts are made, chosen and listed', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-context-'));
  try {
    const env = { PARLEY_CONFIG: path.join(folder, 'deep', 'config.yaml') };
    await type(api, ['context', 'set', 'lab', '--url', 'http://lab', '--token-from', 'LAB'], { env });
    await type(api, ['context', 'set', 'prod', '--url', 'http://prod'], { env });
    await type(api, ['context', 'use', 'prod'], { env });
    const { out } = await type(api, ['context', 'list'], { env });
    expect(out).toMatch(/lab +- +http:\/\/lab +LAB\nprod +yes +http:\/\/prod/);
    expect((await type(api, ['context', 'use', 'none'], { env })).exitCode).toBe(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
