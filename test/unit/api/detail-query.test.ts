import { examples } from '../../../api/openapi/examples';
import { narrow, parseDetailQuery } from '../../../api/parsing/detail-query';
import type { SessionDetailBody } from '../../../api/schemas/session-schemas';

const project = '39494a5d-9f42-4b3b-b7d9-1d1bd2a1a1b0';

describe('the query of the detail', () => {
  it.each([
    { query: {}, view: 'whole', narrowing: undefined },
    { query: { view: 'summary' }, view: 'summary', narrowing: undefined },
    { query: { view: 'hosts' }, view: 'hosts', narrowing: undefined },
    { query: { phase: 'waiting,emptying' }, view: 'whole', narrowing: { phases: ['waiting', 'emptying'] } },
    {
      query: { host: 'a,b', project, limit: '10', after: 'a' },
      view: 'whole',
      narrowing: { hosts: ['a', 'b'], projectId: project, limit: 10, after: 'a' },
    },
    { query: { unknown: 'x' }, view: 'whole', narrowing: undefined },
  ])('$query', ({ query, view, narrowing }) => {
    expect(parseDetailQuery(query)).toEqual({ view, narrowing });
  });

  it.each([
    { view: 'all' },
    { phase: 'gone' },
    { project: 'vepc' },
    { limit: '0' },
    { limit: '1001' },
    { limit: 'ten' },
    { host: '' },
    { host: ['a', 'b'] },
  ])('refuses %j and names the parameter', (query) => {
    const [name] = Object.keys(query);
    const refused = (() => {
      try {
        return parseDetailQuery(query);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({ problem: { status: 400, errors: [{ pointer: `#query/${name}` }] } });
  });
});

describe('a part of the detail', () => {
  const [aHost] = examples.SessionDetail.hosts;
  const [anInstance] = examples.SessionDetail.instances;
  const [aReason] = examples.SessionDetail.session.waiting;
  const names = ['a', 'b', 'c', 'd'];
  const detail = {
    ...examples.SessionDetail,
    session: { ...examples.SessionDetail.session, waiting: names.map((who) => ({ ...aReason, who })) },
    hosts: names.map((hostname) => ({ ...aHost, hostname, phase: hostname === 'd' ? 'maintained' : 'waiting' })),
    instances: names.map((host) => ({
      ...anInstance,
      ...{ host, instance_id: `on-${host}`, project_id: host === 'b' ? project : '22222222222242228222222222222222' },
    })),
    action_plugin_instances: [],
  } as unknown as SessionDetailBody;

  it.each([
    { what: 'a phase', narrowing: { phases: ['maintained'] }, hosts: ['d'], page: { host_count: 1, after: null } },
    { what: 'hosts', narrowing: { hosts: ['a', 'c', 'x'] }, hosts: ['a', 'c'], page: { host_count: 2, after: null } },
    {
      what: 'a project in another form of its ID',
      narrowing: { projectId: project.replaceAll('-', '') },
      hosts: ['b'],
      page: { host_count: 1, after: null },
    },
    { what: 'the first page', narrowing: { limit: 2 }, hosts: ['a', 'b'], page: { host_count: 4, after: 'b' } },
    {
      what: 'the last page',
      narrowing: { limit: 2, after: 'b' },
      hosts: ['c', 'd'],
      page: { host_count: 4, after: null },
    },
    { what: 'beyond the end', narrowing: { after: 'd' }, hosts: [], page: { host_count: 4, after: null } },
  ])('has, of $what, the hosts and what is on them', ({ narrowing, hosts, page }) => {
    const part = narrow(detail, narrowing);
    expect(part.hosts.map(({ hostname }) => hostname)).toEqual(hosts);
    expect(part.instances.map(({ host }) => host)).toEqual(hosts);
    expect(part.session.waiting.map(({ who }) => who)).toEqual(hosts);
    expect(part.page).toEqual(page);
  });

  it('has each host on one page, in whatever order the database gives them', () => {
    const hosts = ['a-1', 'A-2', 'a1', 'B', 'é', 'z'].map((hostname) => ({ ...aHost, hostname }));
    const whole = { ...detail, hosts } as unknown as SessionDetailBody;
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const part = narrow(whole, { limit: 2, ...(after !== undefined && { after }) });
      seen.push(...part.hosts.map(({ hostname }) => hostname));
      after = part.page?.after ?? undefined;
    } while (after !== undefined && seen.length < 9);
    expect(seen).toEqual(['A-2', 'B', 'a-1', 'a1', 'z', 'é']);
  });
});
