/** The endpoints of the API, with the types of the schemas from which its OpenAPI document is made. */
import type { ChoicesBody } from '../../api/schemas/choice-schemas';
import type { FreezeBody, WriteFreezeBody } from '../../api/schemas/freeze-schemas';
import type { SteeredHostBody } from '../../api/schemas/host-request-schemas';
import type { PlanBody } from '../../api/schemas/plan-schemas';
import type { QuestionBody } from '../../api/schemas/question-schemas';
import type {
  CreateSessionBody,
  SessionArchivedBody,
  SessionDetailBody,
  SessionInFlightBody,
  SessionListBody,
} from '../../api/schemas/session-schemas';
import type { ChangeSessionBody, SessionChangedBody } from '../../api/schemas/steering-schemas';
import type { SessionProgressBody, SessionSummaryBody } from '../../api/schemas/summary-schemas';
import type { TermsPreviewBody } from '../../api/schemas/terms-schemas';
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  ReplayedBody,
  SecretRotatedBody,
  WebhookBody,
  WebhookCreatedBody,
  WebhookDetailBody,
} from '../../api/schemas/webhook-schemas';
import type { ProjectTermsBody } from '../../forms/terms-schema';
import type { Release } from '../../rules/holds/hold';
import type { HostRequest } from '../../rules/requests/host-request';
import { type Client, withQuery } from './http-client';

/** Left out: of all. */
export interface QuestionsWanted {
  readonly projectId?: string | undefined;
  readonly sessionId?: string | undefined;
}

export interface Api {
  readonly client: Client;
  /** Lists what sessions lack to go on, a line each. */
  readonly problems: () => Promise<readonly string[]>;
  /** The hosts of the cloud, and what a session can name. */
  readonly choices: () => Promise<ChoicesBody>;
  readonly sessions: (query?: Readonly<Record<string, string>>) => Promise<readonly SessionProgressBody[]>;
  readonly summary: (sessionId: string) => Promise<SessionSummaryBody>;
  readonly detail: (sessionId: string, query?: Readonly<Record<string, string>>) => Promise<SessionDetailBody>;
  readonly plan: (request: CreateSessionBody) => Promise<PlanBody>;
  readonly planOf: (sessionId: string) => Promise<PlanBody>;
  readonly create: (request: CreateSessionBody, key: string) => Promise<{ readonly session_id: string }>;
  readonly request: (sessionId: string, request: 'pause' | 'resume' | 'abort') => Promise<SessionInFlightBody>;
  readonly continueFrom: (sessionId: string, state?: string) => Promise<{ readonly state: string }>;
  readonly change: (sessionId: string, change: ChangeSessionBody) => Promise<SessionChangedBody>;
  readonly remove: (sessionId: string) => Promise<void>;
  readonly archive: (sessionId: string) => Promise<SessionArchivedBody>;
  readonly host: (of: HostOf, request: HostRequest) => Promise<SteeredHostBody>;
  readonly releaseHost: (of: HostOf, release: Release) => Promise<SteeredHostBody>;
  /** Open ones, or all of a session. */
  readonly questions: (of?: QuestionsWanted) => Promise<readonly QuestionBody[]>;
  readonly webhooks: () => Promise<readonly WebhookBody[]>;
  readonly webhook: (id: string) => Promise<WebhookDetailBody>;
  readonly createWebhook: (request: CreateWebhookBody) => Promise<WebhookCreatedBody>;
  readonly changeWebhook: (id: string, change: ChangeWebhookBody) => Promise<WebhookBody>;
  readonly replayWebhook: (id: string) => Promise<ReplayedBody>;
  readonly rotateSecret: (id: string, keepOldSeconds?: number) => Promise<SecretRotatedBody>;
  readonly removeWebhook: (id: string) => Promise<void>;
  readonly freezes: () => Promise<readonly FreezeBody[]>;
  readonly setFreeze: (name: string, freeze: WriteFreezeBody) => Promise<FreezeBody>;
  readonly removeFreeze: (name: string) => Promise<void>;
  readonly terms: (projectId: string) => Promise<ProjectTermsBody>;
  readonly toldTerms: (projectId: string) => Promise<ProjectTermsBody>;
  readonly previewTerms: (projectId: string, terms: ProjectTermsBody) => Promise<TermsPreviewBody>;
  readonly setTerms: (projectId: string, terms: ProjectTermsBody) => Promise<ProjectTermsBody>;
  readonly removeTerms: (projectId: string) => Promise<void>;
}

export interface HostOf {
  readonly sessionId: string;
  readonly hostname: string;
}

const webhookPath = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

const freezePath = (name: string): string => `/freezes/${encodeURIComponent(name)}`;

const termsPath = (projectId: string): string => `/projects/${encodeURIComponent(projectId)}/terms`;

const sessionPath = (sessionId: string): string => `/maintenance/${encodeURIComponent(sessionId)}`;

interface QuestionListBody {
  readonly questions: readonly QuestionBody[];
}

const questionsPath = ({ projectId, sessionId }: QuestionsWanted = {}): string =>
  withQuery('/questions', {
    ...(projectId !== undefined && { project_id: projectId }),
    ...(sessionId !== undefined && { session_id: sessionId }),
  });

export const createApiCalls = (client: Client): Api => ({
  client,
  problems: () => client.problems(),
  choices: () => client.get('/choices'),
  sessions: async (query = {}) => (await client.get<SessionListBody>(withQuery('/maintenance', query))).sessions,
  summary: (id) => client.get(`${sessionPath(id)}/detail?view=summary`),
  detail: (id, query = {}) => client.get(withQuery(`${sessionPath(id)}/detail`, query)),
  plan: (body) => client.send('POST', '/maintenance/plan', { body, isRepeatable: true }),
  planOf: (id) => client.get(`${sessionPath(id)}/plan`),
  create: (body, key) =>
    client.send('POST', '/maintenance', { body, headers: { 'Idempotency-Key': key }, isRepeatable: true }),
  request: (id, request) => client.send('POST', `${sessionPath(id)}/${request}`, { isRepeatable: true }),
  continueFrom: (id, state) =>
    client.send('PUT', sessionPath(id), { body: state === undefined ? {} : { state }, isRepeatable: false }),
  change: (id, body) => client.send('PATCH', sessionPath(id), { body }),
  remove: (id) => client.send('DELETE', sessionPath(id)),
  archive: (id) => client.send('POST', `${sessionPath(id)}/archive`, { isRepeatable: true }),
  host: ({ sessionId, hostname }, request) =>
    client.send('POST', `${sessionPath(sessionId)}/hosts/${encodeURIComponent(hostname)}/${request}`, {
      isRepeatable: true,
    }),
  releaseHost: ({ sessionId, hostname }, body) =>
    client.send('POST', `${sessionPath(sessionId)}/hosts/${encodeURIComponent(hostname)}/release`, { body }),
  questions: async (of) => (await client.get<QuestionListBody>(questionsPath(of))).questions,
  webhooks: async () => (await client.get<{ readonly webhooks: readonly WebhookBody[] }>('/webhooks')).webhooks,
  // The request is not repeated when its answer is lost: the secret of the first webhook would be lost too.
  createWebhook: (body) => client.send('POST', '/webhooks', { body, isRepeatable: false }),
  webhook: (id) => client.get(webhookPath(id)),
  changeWebhook: (id, body) => client.send('PATCH', webhookPath(id), { body }),
  replayWebhook: (id) => client.send('POST', `${webhookPath(id)}/replay`, { isRepeatable: true }),
  // The request is not repeated either: a second one would end the secret that receivers still use.
  rotateSecret: (id, seconds) =>
    client.send('POST', `${webhookPath(id)}/secret`, {
      body: seconds === undefined ? {} : { keep_old_seconds: seconds },
      isRepeatable: false,
    }),
  removeWebhook: (id) => client.send('DELETE', webhookPath(id)),
  ...callsForStanding(client),
});

/** Freezes and terms hold until somebody changes them, whatever sessions there are. */
const callsForStanding = (
  client: Client,
): Pick<
  Api,
  'freezes' | 'setFreeze' | 'removeFreeze' | 'terms' | 'toldTerms' | 'previewTerms' | 'setTerms' | 'removeTerms'
> => ({
  freezes: async () => (await client.get<{ readonly freezes: readonly FreezeBody[] }>('/freezes')).freezes,
  setFreeze: (name, body) => client.send('PUT', freezePath(name), { body, isRepeatable: true }),
  removeFreeze: (name) => client.send('DELETE', freezePath(name)),
  terms: (projectId) => client.get(termsPath(projectId)),
  toldTerms: (projectId) => client.get(`${termsPath(projectId)}/told`),
  previewTerms: (projectId, body) =>
    client.send('POST', `${termsPath(projectId)}/preview`, { body, isRepeatable: true }),
  setTerms: (projectId, body) => client.send('PUT', termsPath(projectId), { body, isRepeatable: true }),
  removeTerms: (projectId) => client.send('DELETE', termsPath(projectId)),
});
