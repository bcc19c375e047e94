/** The demo's infrastructure admin, over HTTP: creates a session and reads its detail. */
import { createBodyParser } from '../../api/http/schema-check';
import { SessionCreatedSchema, type SessionDetailBody, SessionDetailSchema } from '../../api/schemas/session-schemas';

export interface AdminClient {
  /** Creates a session with this workflow on all hosts, and returns its ID. */
  readonly createSession: (startsAt: Date, workflow: string) => Promise<string>;
  readonly detailOf: (sessionId: string) => Promise<SessionDetailBody>;
}

const refuse = (errors: readonly unknown[]): Error =>
  new Error(`the API's answer does not fit its schema: ${JSON.stringify(errors)}`);
const parseCreated = createBodyParser(SessionCreatedSchema, refuse);
const parseDetail = createBodyParser(SessionDetailSchema, refuse);

/** One action plug-in of every type. `host` takes the time that the fleet file gives for the host's maintenance. */
const actions = [
  { plugin: 'dummy', type: 'pre', metadata: { seconds: 1 } },
  { plugin: 'dummy', type: 'host' },
  { plugin: 'dummy', type: 'compute', metadata: { seconds: 0.5 } },
  { plugin: 'dummy', type: 'controller', metadata: { seconds: 0.5 } },
  { plugin: 'dummy', type: 'post', metadata: { seconds: 1 } },
];

const call = async (url: string, request: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method ?? 'GET'} ${url}: ${String(response.status)} ${text}`);
  return JSON.parse(text);
};

export const createAdminClient = (api: string): AdminClient => ({
  async createSession(startsAt, workflow) {
    const session = {
      hosts: [],
      state: 'MAINTENANCE',
      maintenance_at: startsAt.toISOString(),
      workflow,
      metadata: { maintained_hosts: 'run the new kernel' },
      actions,
    };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(session);
    return parseCreated(await call(`${api}/v1/maintenance`, { method: 'POST', headers, body })).session_id;
  },
  async detailOf(sessionId) {
    return parseDetail(await call(`${api}/v1/maintenance/${sessionId}/detail`));
  },
});
