/** The form that creates a session or changes its steering, and the request that the form makes. */
import type { CreateRequest } from '../client/types';

type Windows = NonNullable<CreateRequest['windows']>;
type Actions = NonNullable<CreateRequest['actions']>;
type Policy = NonNullable<CreateRequest['reply_policy']>;
type Eviction = NonNullable<CreateRequest['eviction']>;

export type Day = NonNullable<Windows[number]['days']>[number];
export type ActionType = Actions[number]['type'];

export interface ActionDraft {
  readonly plugin: string;
  readonly type: ActionType;
  /** JSON. */
  readonly metadata: string;
}

/** Says whether pods that are kept may be evicted, and how long pods may take to end by themselves. */
export interface EvictionDraft {
  readonly unmanagedPods: NonNullable<Eviction['unmanaged_pods']> | '';
  readonly localData: NonNullable<Eviction['local_data']> | '';
  readonly forced: NonNullable<Eviction['forced']> | '';
  readonly completeWithin: string;
}

/** How a session is steered. Texts as they are typed; empty: left out. */
export interface SteeringDraft extends EvictionDraft {
  readonly maxParallel: string;
  /** Keys of labels, each with a number of hosts: zone=3 rack=1. */
  readonly maxPer: string;
  /** The key of a label. */
  readonly oneDomain: string;
  /** Seconds that a host may take to be up. */
  readonly hostStart: string;
  readonly maxFailed: string;
  readonly failedHosts: NonNullable<CreateRequest['failed_hosts']> | '';
  readonly silence: NonNullable<Policy['silence']> | '';
  readonly lastNack: NonNullable<Policy['last_nack']> | '';
  readonly postponeSeconds: string;
  readonly postponeUntil: string;
  readonly ownerHours: 'keep' | 'until' | 'ignore' | '';
  readonly ownerHoursUntil: string;
  /** A number of hosts, or their names. */
  readonly canaryHosts: string;
  readonly canaryThen: 'continue' | 'resume';
  readonly canaryWait: string;
  readonly deadline: string;
  readonly windows: readonly Windows[number][];
  /** The reason why freezes do not count. */
  readonly ignoreFreezes: string;
}

export interface Draft extends SteeringDraft {
  /** What admins call the session. */
  readonly name: string;
  /** The reason for it, for the owners of instances. */
  readonly reason: string;
  readonly allHosts: boolean;
  readonly hosts: string;
  /** A selector of hosts by their labels. */
  readonly select: string;
  /** Names of hosts that are left out all the same. */
  readonly except: string;
  readonly workflow: string;
  readonly startAt: string;
  readonly actions: readonly ActionDraft[];
  readonly downloads: string;
  /** JSON. */
  readonly metadata: string;
}

const emptyEviction: EvictionDraft = { unmanagedPods: '', localData: '', forced: '', completeWithin: '' };

export const emptySteering: SteeringDraft = {
  ...emptyEviction,
  maxParallel: '',
  maxPer: '',
  oneDomain: '',
  hostStart: '',
  maxFailed: '',
  failedHosts: '',
  silence: '',
  lastNack: '',
  postponeSeconds: '',
  postponeUntil: '',
  ownerHours: '',
  ownerHoursUntil: '',
  canaryHosts: '',
  canaryThen: 'continue',
  canaryWait: '',
  deadline: '',
  windows: [],
  ignoreFreezes: '',
};

export const emptyDraft: Draft = {
  ...emptySteering,
  name: '',
  reason: '',
  allHosts: false,
  hosts: '',
  select: '',
  except: '',
  workflow: 'vnf',
  startAt: '',
  actions: [],
  downloads: '',
  metadata: '',
};

export type Steering = Pick<
  CreateRequest,
  | 'max_parallel_hosts'
  | 'max_parallel_per'
  | 'one_domain_at_a_time'
  | 'host_start_seconds'
  | 'max_failed_hosts'
  | 'failed_hosts'
  | 'reply_policy'
  | 'postpone'
  | 'owner_hours'
  | 'canary'
  | 'deadline'
  | 'eviction'
  | 'windows'
  | 'ignore_freezes'
>;

/** The workflow of Kubernetes: the API refuses `eviction` in other clouds. */
export const mayEvict = (workflow: string): boolean => workflow.trim() === 'k8s';

/** Names or URLs, separated by spaces, commas or lines. */
export const listIn = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '');

const isEmpty = (text: string): boolean => text.trim() === '';

/** A time in the past means now. */
const now = '1970-01-01 00:00:00';

/** @throws SyntaxError where a text is not in its form */
export const requestOf = (draft: Draft): CreateRequest => ({
  ...(!draft.allHosts && { hosts: hostsIn(draft) }),
  ...selectIn(draft),
  ...(!isEmpty(draft.name) && { name: draft.name.trim() }),
  ...(!isEmpty(draft.reason) && { reason: draft.reason.trim() }),
  state: 'MAINTENANCE',
  maintenance_at: isEmpty(draft.startAt) ? now : inUtc(draft.startAt),
  workflow: draft.workflow.trim(),
  metadata: jsonIn(draft.metadata, 'the metadata'),
  ...(!isEmpty(draft.downloads) && { download: listIn(draft.downloads) }),
  ...(draft.actions.length > 0 && { actions: draft.actions.map(actionOf) }),
  ...steeringOf(mayEvict(draft.workflow) ? draft : { ...draft, ...emptyEviction }),
});

/** The API takes an empty list as all hosts, which nobody should get by leaving a field empty. */
const hostsIn = ({ hosts, select }: Draft): string[] => {
  const names = listIn(hosts);
  if (names.length === 0 && isEmpty(select)) {
    throw new SyntaxError('name the hosts, select some by their labels, or choose all hosts of the cloud');
  }
  return names;
};

const selectIn = ({ allHosts, select, except }: Draft): Pick<CreateRequest, 'select'> => {
  const hasLabels = !allHosts && !isEmpty(select);
  if (!hasLabels && isEmpty(except)) return {};
  return {
    select: {
      ...(hasLabels && { labels: select.trim() }),
      ...(!isEmpty(except) && { except: listIn(except) }),
    },
  };
};

const actionOf = ({ plugin, type, metadata }: ActionDraft): Actions[number] => ({
  plugin: plugin.trim(),
  type,
  ...(!isEmpty(metadata) && { metadata: jsonIn(metadata, `the metadata of ${plugin}`) }),
});

const jsonIn = (text: string, name: string): Record<string, unknown> => {
  if (isEmpty(text)) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new SyntaxError(`${name} is not JSON: ${String(error)}`, { cause: error });
  }
};

export const steeringOf = (draft: SteeringDraft): Steering => ({
  ...(!isEmpty(draft.maxParallel) && { max_parallel_hosts: Number(draft.maxParallel) }),
  ...(!isEmpty(draft.maxPer) && { max_parallel_per: maxPerIn(draft.maxPer) }),
  ...(!isEmpty(draft.oneDomain) && { one_domain_at_a_time: draft.oneDomain.trim() }),
  ...(!isEmpty(draft.hostStart) && { host_start_seconds: Number(draft.hostStart) }),
  ...(!isEmpty(draft.maxFailed) && { max_failed_hosts: Number(draft.maxFailed) }),
  ...(draft.failedHosts !== '' && { failed_hosts: draft.failedHosts }),
  ...policyOf(draft),
  ...postponeOf(draft),
  ...ownerHoursOf(draft),
  ...canaryOf(draft),
  ...(!isEmpty(draft.deadline) && { deadline: inUtc(draft.deadline) }),
  ...evictionOf(draft),
  ...(draft.windows.length > 0 && { windows: draft.windows.map(asTyped) }),
  ...(!isEmpty(draft.ignoreFreezes) && { ignore_freezes: draft.ignoreFreezes.trim() }),
});

/** A text that is not in the form gives no number, which the API refuses. */
const maxPerIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    listIn(text).map((one) => {
      const at = one.lastIndexOf('=');
      return at < 0 ? [one, NaN] : [one.slice(0, at), Number(one.slice(at + 1))];
    }),
  );

/** Fields of dates without what is empty in them. Empty times: for whole days. */
export const asTyped = ({ dates, except = [], from = '', to = '', ...window }: Windows[number]): Windows[number] => ({
  ...window,
  ...(dates && { dates: withoutEmpty(dates) }),
  ...(withoutEmpty(except).length > 0 && { except: withoutEmpty(except) }),
  ...(from !== '' && { from }),
  ...(to !== '' && { to }),
});

const withoutEmpty = (texts: readonly string[]): string[] => listIn(texts.join(','));

const policyOf = ({ silence, lastNack }: SteeringDraft): Pick<Steering, 'reply_policy'> => {
  const policy = { ...(silence !== '' && { silence }), ...(lastNack !== '' && { last_nack: lastNack }) };
  return Object.keys(policy).length === 0 ? {} : { reply_policy: policy };
};

/** Seconds count where both are given. */
const postponeOf = ({ postponeSeconds, postponeUntil }: SteeringDraft): Pick<Steering, 'postpone'> => {
  if (!isEmpty(postponeSeconds)) return { postpone: { seconds: Number(postponeSeconds) } };
  return isEmpty(postponeUntil) ? {} : { postpone: { until: inUtc(postponeUntil) } };
};

const ownerHoursOf = ({ ownerHours, ownerHoursUntil }: SteeringDraft): Pick<Steering, 'owner_hours'> => {
  if (ownerHours === '') return {};
  return { owner_hours: ownerHours === 'until' ? { until: inUtc(ownerHoursUntil) } : ownerHours };
};

const evictionOf = (draft: EvictionDraft): Pick<Steering, 'eviction'> => {
  const { unmanagedPods, localData, forced, completeWithin } = draft;
  const eviction = {
    ...(unmanagedPods !== '' && { unmanaged_pods: unmanagedPods }),
    ...(localData !== '' && { local_data: localData }),
    ...(forced !== '' && { forced }),
    ...(!isEmpty(completeWithin) && { complete_within_seconds: Number(completeWithin) }),
  };
  return Object.keys(eviction).length === 0 ? {} : { eviction };
};

const canaryOf = ({ canaryHosts, canaryThen, canaryWait }: SteeringDraft): Pick<Steering, 'canary'> => {
  if (isEmpty(canaryHosts)) return {};
  const hosts = /^\s*\d+\s*$/.test(canaryHosts) ? Number(canaryHosts) : listIn(canaryHosts);
  const waits = canaryThen === 'continue' && !isEmpty(canaryWait);
  return { canary: { hosts, then: canaryThen, ...(waits && { wait_seconds: Number(canaryWait) }) } };
};

/** The form has local time without a zone, which the API would take as UTC. */
const inUtc = (text: string): string => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
};

type Shown = { readonly [Name in keyof Required<Steering>]: Steering[Name] | null };

/** How a session is steered now, as the form has it. */
export const draftOf = (shown: Shown): SteeringDraft => ({
  maxParallel: textOf(shown.max_parallel_hosts),
  maxPer: Object.entries(shown.max_parallel_per ?? {})
    .map(([key, most]) => `${key}=${most}`)
    .join(' '),
  oneDomain: shown.one_domain_at_a_time ?? '',
  hostStart: textOf(shown.host_start_seconds),
  maxFailed: textOf(shown.max_failed_hosts),
  failedHosts: shown.failed_hosts ?? '',
  ...policyDraftOf(shown.reply_policy ?? {}),
  ...postponeDraftOf(shown.postpone ?? {}),
  ...ownerHoursDraftOf(shown.owner_hours),
  ...canaryDraftOf(shown.canary ?? { hosts: [] }),
  ...evictionDraftOf(shown.eviction ?? {}),
  deadline: inLocalTime(shown.deadline),
  windows: shown.windows ?? [],
  ignoreFreezes: shown.ignore_freezes ?? '',
});

const policyDraftOf = (policy: Policy): Pick<SteeringDraft, 'silence' | 'lastNack'> => ({
  silence: policy.silence ?? '',
  lastNack: policy.last_nack ?? '',
});

const postponeDraftOf = ({ seconds, until }: NonNullable<Steering['postpone']>) => ({
  postponeSeconds: textOf(seconds),
  postponeUntil: inLocalTime(until),
});

/** The API has no other words than these. */
const ownerHoursDraftOf = (
  hours: Steering['owner_hours'] | null,
): Pick<SteeringDraft, 'ownerHours' | 'ownerHoursUntil'> =>
  typeof hours === 'object' && hours !== null
    ? { ownerHours: 'until', ownerHoursUntil: inLocalTime(hours.until) }
    : { ownerHours: (hours ?? '') as SteeringDraft['ownerHours'], ownerHoursUntil: '' };

const canaryDraftOf = ({ hosts, then = 'continue', wait_seconds: wait }: NonNullable<Steering['canary']>) => ({
  canaryHosts: [hosts].flat().join(' '),
  canaryThen: then,
  canaryWait: textOf(wait),
});

const evictionDraftOf = (eviction: Eviction): EvictionDraft => ({
  unmanagedPods: eviction.unmanaged_pods ?? '',
  localData: eviction.local_data ?? '',
  forced: eviction.forced ?? '',
  completeWithin: textOf(eviction.complete_within_seconds),
});

const textOf = (value: number | null | undefined): string => String(value ?? '');

/** A time of the API as a field for local time wants it. */
export const inLocalTime = (text: string | null | undefined): string => {
  if (text === null || text === undefined) return '';
  const at = new Date(text);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const steeringNames = [
  ...(['max_parallel_per', 'one_domain_at_a_time'] as const),
  ...(['max_parallel_hosts', 'host_start_seconds', 'max_failed_hosts', 'failed_hosts'] as const),
  ...(['reply_policy', 'postpone', 'owner_hours'] as const),
  ...(['canary', 'deadline', 'eviction', 'windows', 'ignore_freezes'] as const),
];

/** The changed fields, for PATCH; null removes a field. */
export const changeFrom = (
  before: SteeringDraft,
  after: SteeringDraft,
): { [Name in keyof Steering]?: Steering[Name] | null } => {
  const [was, is] = [steeringOf(before), steeringOf(after)];
  const changed = steeringNames.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  return Object.fromEntries(changed.map((name) => [name, is[name] ?? null]));
};
