/** The endpoints that the page uses, by what they are for. */
import type { Http } from './http';
import { Refusal } from './problem';
import type { Change, CreateRequest, Detail, Summary, Terms } from './types';

export type SessionRequest = 'pause' | 'resume' | 'abort';
export type HostRequest = 'skip' | 'retry' | 'first' | 'ignore';

export interface HostOf {
  readonly sessionId: string;
  readonly hostname: string;
}

/** The reason that stands in the record of the session; empty: none. */
const why = (reason: string) =>
  reason.trim() === '' ? {} : { headers: { 'Parley-Reason': encodeURIComponent(reason.trim()) } };

const noTerms = (error: unknown): undefined => {
  if (error instanceof Refusal && error.problem.code === 'TERMS_NOT_FOUND') return undefined;
  throw error;
};

/** The terms of a project. */
const termsApi = (http: Http) => ({
  /** Undefined: none are stored. */
  terms: (id: string): Promise<Terms | undefined> =>
    http.call('get', '/v1/projects/{project_id}/terms', { params: { project_id: id } }).catch(noTerms),
  /** Undefined: the project tells its cloud none. */
  toldTerms: (id: string): Promise<Terms | undefined> =>
    http.call('get', '/v1/projects/{project_id}/terms/told', { params: { project_id: id } }).catch(noTerms),
  setTerms: (id: string, body: Terms) =>
    http.call('put', '/v1/projects/{project_id}/terms', { params: { project_id: id }, body }),
  removeTerms: (id: string) => http.call('delete', '/v1/projects/{project_id}/terms', { params: { project_id: id } }),
  previewTerms: (id: string, body: Terms) =>
    http.call('post', '/v1/projects/{project_id}/terms/preview', { params: { project_id: id }, body }),
});

/** What a project answers with. */
const projectApi = (http: Http) => ({
  coming: async (id: string) =>
    (await http.call('get', '/v1/projects/{project_id}/coming', { params: { project_id: id } })).coming,
  project: (id: string) => http.call('get', '/v1/projects/{project_id}', { params: { project_id: id } }),
  questions: async (projectId?: string) =>
    (await http.call('get', '/v1/questions', { ...(projectId !== undefined && { query: { project_id: projectId } }) }))
      .questions,
  reply: (sessionId: string, projectId: string, body: { state: string; instance_actions?: Record<string, string> }) =>
    http.call('put', '/v1/maintenance/{session_id}/{project_id}', {
      params: { session_id: sessionId, project_id: projectId },
      body,
    }),
  replyForInstance: (
    { sessionId, projectId, instanceId }: { sessionId: string; projectId: string; instanceId: string },
    body: { state: string; instance_action?: string },
  ) =>
    http.call('put', '/v1/maintenance/{session_id}/{project_id}/{instance_id}', {
      params: { session_id: sessionId, project_id: projectId, instance_id: instanceId },
      body,
    }),
});

/** What has happened in a session. */
const historyApi = (http: Http) => ({
  report: async (id: string) =>
    (
      await http.stream('/v1/maintenance/{session_id}/report', {
        params: { session_id: id },
        query: { format: 'html' },
      })
    ).text(),
  /** @param since left out: all that have begun */
  moves: async (id: string, since?: string) =>
    (
      await http.call('get', '/v1/maintenance/{session_id}/moves', {
        params: { session_id: id },
        ...(since !== undefined && { query: { since } }),
      })
    ).moves,
  tenants: async (id: string) =>
    (await http.call('get', '/v1/maintenance/{session_id}/tenants', { params: { session_id: id } })).tenants,
  record: async (id: string) =>
    (await http.call('get', '/v1/maintenance/{session_id}/record', { params: { session_id: id } })).entries,
  events: async (id: string) =>
    (await http.call('get', '/v1/maintenance/{session_id}/events', { params: { session_id: id } })).events,
});

/** The requests of an admin about one host of a session. */
const hostApi = (http: Http) => ({
  host: ({ sessionId, hostname }: HostOf, request: HostRequest, reason = '') =>
    http.call('post', `/v1/maintenance/{session_id}/hosts/{hostname}/${request}`, {
      params: { session_id: sessionId, hostname },
      ...why(reason),
    }),
  release: ({ sessionId, hostname }: HostOf, body: { outcome: 'done' | 'failed'; note: string }) =>
    http.call('post', '/v1/maintenance/{session_id}/hosts/{hostname}/release', {
      params: { session_id: sessionId, hostname },
      body,
    }),
});

/** The plan of a large session takes many seconds. */
const planMs = 60_000;

export const createApi = (http: Http) => ({
  http,
  sessions: async (query: Readonly<Record<string, string>> = {}) =>
    (await http.call('get', '/v1/maintenance', { query })).sessions,
  choices: () => http.call('get', '/v1/choices'),
  /** A large cloud takes a while to list all its instances. */
  choicesWithCounts: () => http.call('get', '/v1/choices', { query: { instances: 'true' } }),
  /** @param left aborted when nobody wants the plan any more */
  plan: (body: CreateRequest, left: AbortSignal) => {
    const signal = AbortSignal.any([left, AbortSignal.timeout(planMs)]);
    return http.call('post', '/v1/maintenance/plan', { body, signal });
  },
  requestOf: (id: string) => http.call('get', '/v1/maintenance/{session_id}/request', { params: { session_id: id } }),
  planOf: (id: string) => http.call('get', '/v1/maintenance/{session_id}/plan', { params: { session_id: id } }),
  /** @param key whoever sends the same key again gets the same session */
  create: (body: CreateRequest, key: string) =>
    http.call('post', '/v1/maintenance', { body, headers: { 'Idempotency-Key': key } }),
  change: (id: string, body: Change, reason = '') =>
    http.call('patch', '/v1/maintenance/{session_id}', { params: { session_id: id }, body, ...why(reason) }),
  request: (id: string, request: SessionRequest, reason = '') =>
    http.call('post', `/v1/maintenance/{session_id}/${request}`, { params: { session_id: id }, ...why(reason) }),
  continueFrom: (id: string, state?: string, reason = '') =>
    http.call('put', '/v1/maintenance/{session_id}', {
      params: { session_id: id },
      ...why(reason),
      ...(state !== undefined && { body: { state } }),
    }),
  archive: (id: string, reason = '') =>
    http.call('post', '/v1/maintenance/{session_id}/archive', { params: { session_id: id }, ...why(reason) }),
  remove: (id: string, reason = '') =>
    http.call('delete', '/v1/maintenance/{session_id}', { params: { session_id: id }, ...why(reason) }),
  ...hostApi(http),
  ...historyApi(http),
  ...projectApi(http),
  ...termsApi(http),
});

export type Api = ReturnType<typeof createApi>;

/** One path answers with either. */
export const asSummary = (body: Summary | Detail): Summary => {
  if ('progress' in body) return body;
  throw new TypeError('the API did not answer with a summary');
};

export const asDetail = (body: Summary | Detail): Detail => {
  if ('hosts' in body) return body;
  throw new TypeError('the API did not answer with a detail');
};
