/** Reads which part of a session's detail is asked for: all of it, a summary, or the hosts that match, in pages. */
import { isUuid, keyOf, uuidMeaning } from '../../rules/cloud/id';
import { hostPhases } from '../../rules/decisions/fleet/fleet';
import { compareText } from '../../rules/decisions/fleet/ordered';
import type { FieldError } from '../problems/problem';
import { invalidQuery } from '../problems/problem-catalogue';
import type { SessionDetailBody } from '../schemas/session-schemas';

export type View = 'whole' | 'summary' | 'hosts';

export interface DetailQuery {
  readonly view: View;
  /** undefined: nothing is left out. */
  readonly narrowing: Narrowing | undefined;
}

/** Each that is left out lets everything through. */
export interface Narrowing {
  readonly phases?: readonly string[];
  readonly hosts?: readonly string[];
  readonly projectId?: string;
  /** Hosts at most. */
  readonly limit?: number;
  /** The last host of the page before. */
  readonly after?: string;
}

/** The names of the query's parameters, with what they mean. */
export const detailParameters = {
  view:
    'summary: one look at the session instead of its whole detail; hosts: the detail with the instances of hosts under ' +
    'work alone, and without runs of plug-ins',
  phase: 'Only hosts in these phases, separated by commas',
  host: 'Only hosts of these names, separated by commas',
  project: 'Only instances of this project, and the hosts that have some',
  limit: 'A page of at most this many hosts, from 1 to 1000, in the order of their names, with what is on them',
  after: 'The page after this host, which is `page.after` of the page before',
} as const;

type Query = Readonly<Record<string, unknown>>;

const views = ['summary', 'hosts'] as const;
const mostHosts = 1000;

/** @throws ApiError 400 */
export const parseDetailQuery = (query: Query): DetailQuery => {
  const errors = wrongParameters(query);
  if (errors.length > 0) throw invalidQuery(errors);
  const text = (name: keyof typeof detailParameters): string | undefined => query[name] as string | undefined;
  const list = (name: 'phase' | 'host') => text(name)?.split(',');
  const [phases, hosts, projectId, after] = [list('phase'), list('host'), text('project'), text('after')];
  const narrowing = {
    ...(phases && { phases }),
    ...(hosts && { hosts }),
    ...(projectId !== undefined && { projectId }),
    ...(text('limit') !== undefined && { limit: Number(text('limit')) }),
    ...(after !== undefined && { after }),
  };
  return {
    view: views.find((one) => one === text('view')) ?? 'whole',
    narrowing: Object.keys(narrowing).length > 0 ? narrowing : undefined,
  };
};

const rules: Readonly<Record<keyof typeof detailParameters, { check: (text: string) => boolean; meaning: string }>> = {
  view: { check: (text) => views.some((one) => one === text), meaning: 'summary or hosts, or be left out' },
  phase: {
    check: (text) => text.split(',').every((one) => hostPhases.some((phase) => phase === one)),
    meaning: `some of ${hostPhases.join(', ')}, separated by commas`,
  },
  host: { check: (text) => text !== '', meaning: 'names of hosts, separated by commas' },
  project: { check: isUuid, meaning: uuidMeaning },
  limit: {
    check: (text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostHosts,
    meaning: `a whole number from 1 to ${mostHosts}`,
  },
  after: { check: (text) => text !== '', meaning: 'the name of a host' },
};

const wrongParameters = (query: Query): FieldError[] =>
  Object.entries(rules).flatMap(([name, { check, meaning }]) => {
    const given = query[name];
    if (given === undefined || (typeof given === 'string' && check(given))) return [];
    return [{ pointer: `#query/${name}`, message: `must be ${meaning}` }];
  });

/** The hosts that match, with the instances, plug-ins and reasons to wait that belong to them. */
export const narrow = (detail: SessionDetailBody, narrowing: Narrowing): SessionDetailBody => {
  const ofProject = isOf(narrowing.projectId);
  const instances = detail.instances.filter(ofProject);
  const matching = detail.hosts
    .filter(matches(narrowing, new Set(instances.map(({ host }) => host))))
    // The collation of the database may order them in another way than `after` compares.
    .sort((one, other) => compareText(one.hostname, other.hostname));
  const { after, limit = Infinity } = narrowing;
  const rest = matching.slice(after === undefined ? 0 : matching.findIndex(({ hostname }) => hostname > after));
  const isPast = after !== undefined && !matching.some(({ hostname }) => hostname > after);
  const hosts = isPast ? [] : rest.slice(0, limit);
  const names = new Set(hosts.map(({ hostname }) => hostname));
  const shown = instances.filter(({ host }) => names.has(host));
  const who = new Set([...names, ...shown.map(({ instance_id }) => instance_id)]);
  return {
    ...detail,
    session: { ...detail.session, waiting: detail.session.waiting.filter((reason) => who.has(reason.who)) },
    hosts,
    instances: shown,
    action_plugin_instances: detail.action_plugin_instances.filter(({ hostname }) => names.has(hostname)),
    page: {
      host_count: matching.length,
      after: !isPast && rest.length > limit ? (hosts.at(-1)?.hostname ?? null) : null,
    },
  };
};

const isOf = (projectId: string | undefined) => {
  const key = projectId === undefined ? undefined : keyOf(projectId);
  return (instance: { readonly project_id: string }): boolean =>
    key === undefined || keyOf(instance.project_id) === key;
};

const matches = ({ phases, hosts, projectId }: Narrowing, withInstances: ReadonlySet<string>) => {
  const named = hosts && new Set(hosts);
  return ({ hostname, phase }: SessionDetailBody['hosts'][number]): boolean =>
    (phases === undefined || phases.includes(phase)) &&
    (named === undefined || named.has(hostname)) &&
    (projectId === undefined || withInstances.has(hostname));
};
