/** The form filled in from a create request, such as that of an earlier session. */
import type { CreateRequest } from '../client/types';
import { type ActionDraft, type Draft, draftOf, emptyDraft, inLocalTime } from './draft';

const notSteered = {
  ...{ max_parallel_per: null, one_domain_at_a_time: null },
  ...{ max_parallel_hosts: null, host_start_seconds: null, max_failed_hosts: null, failed_hosts: null },
  ...{ reply_policy: null, postpone: null, owner_hours: null, canary: null, deadline: null, eviction: null },
  ...{ windows: null, ignore_freezes: null },
};

/** A start that has passed means now. A request without hosts is for all of the cloud's. */
export const draftFrom = (request: CreateRequest, nowMs: number): Draft => {
  const { name = '', reason = '', workflow, metadata, actions = [], download = [] } = request;
  const startAt = asTime(request.maintenance_at);
  return {
    ...emptyDraft,
    ...draftOf({ ...notSteered, ...request }),
    ...{ name, reason, workflow },
    ...hostsDraftOf(request),
    startAt: Date.parse(startAt) > nowMs ? inLocalTime(startAt) : '',
    actions: actions.map(actionDraftOf),
    downloads: download.join('\n'),
    metadata: jsonOf(metadata),
  };
};

const hostsDraftOf = ({
  hosts = [],
  select: { labels = '', except = [] } = {},
}: CreateRequest): Pick<Draft, 'allHosts' | 'hosts' | 'select' | 'except'> => ({
  allHosts: hosts.length === 0 && labels === '',
  hosts: hosts.join(' '),
  select: labels,
  except: except.join(' '),
});

const actionDraftOf = ({
  plugin,
  type,
  metadata = {},
}: NonNullable<CreateRequest['actions']>[number]): ActionDraft => ({
  plugin,
  type,
  metadata: jsonOf(metadata),
});

const jsonOf = (value: Readonly<Record<string, unknown>>): string =>
  Object.keys(value).length === 0 ? '' : JSON.stringify(value);

/** A time without a zone is in UTC. */
const asTime = (text: string): string =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
