/** The infrastructure admin of a measurement, over HTTP: creates a session, and waits for a state of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createBodyParser } from '../../api/http/schema-check';
import { PlanSchema } from '../../api/schemas/plan-schemas';
import { type CreateSessionBody, SessionCreatedSchema, SessionStateSchema } from '../../api/schemas/session-schemas';

const refuse = (errors: readonly unknown[]): Error =>
  new Error(`the API's answer does not fit its schema: ${JSON.stringify(errors)}`);
const parseCreated = createBodyParser(SessionCreatedSchema, refuse);
const parsePlan = createBodyParser(PlanSchema, refuse);
const parseState = createBodyParser(SessionStateSchema, refuse);

const call = async (url: string, request: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method ?? 'GET'} ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
};

export interface SessionToCreate {
  /** Empty: all hosts of the cloud. */
  readonly hosts: readonly string[];
  readonly startsAt: Date;
  readonly maxParallelHosts?: number;
  /** Left out: `vnf`. */
  readonly workflow?: string;
  /** Left out: as the cloud says. */
  readonly maintenanceSeconds?: number;
}

/** A session whose action plug-in takes each host's time of maintenance. */
const bodyOf = (request: SessionToCreate): CreateSessionBody => ({
  hosts: [...request.hosts],
  state: 'MAINTENANCE',
  maintenance_at: request.startsAt.toISOString(),
  workflow: request.workflow ?? 'vnf',
  metadata: {},
  actions: [
    {
      plugin: 'dummy',
      type: 'host',
      ...(request.maintenanceSeconds !== undefined && { metadata: { seconds: request.maintenanceSeconds } }),
    },
  ],
  ...(request.maxParallelHosts !== undefined && { max_parallel_hosts: request.maxParallelHosts }),
});

const post = (url: string, request: SessionToCreate): Promise<unknown> =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(request)),
  });

export const createSession = async (api: string, request: SessionToCreate): Promise<string> =>
  parseCreated(await post(`${api}/v1/maintenance`, request)).session_id;

/** Returns when the deletion is on record. */
export const deleteSession = async (api: string, sessionId: string): Promise<void> => {
  const response = await fetch(`${api}/v1/maintenance/${sessionId}`, { method: 'DELETE' });
  const text = await response.text();
  if (!response.ok) throw new Error(`DELETE of session ${sessionId}: ${response.status} ${text}`);
};

export interface SessionEnd {
  readonly earliest: Date;
  readonly expected: Date;
  readonly latest: Date;
}

/** @throws Error where the session would not come to its end */
export const planSession = async (api: string, request: SessionToCreate): Promise<SessionEnd> => {
  const { ends_at: end, blockers } = parsePlan(await post(`${api}/v1/maintenance/plan`, request));
  if (end === null) throw new Error(`the plan does not come to its end: ${JSON.stringify(blockers)}`);
  return { earliest: new Date(end.earliest), expected: new Date(end.expected), latest: new Date(end.latest) };
};

export const stateOf = async (api: string, sessionId: string): Promise<string> =>
  parseState(await call(`${api}/v1/maintenance/${sessionId}`)).state;

const pollMs = 250;

/** Returns when `isMet` holds. @throws Error when that takes longer than `withinMs` */
export const until = async (
  isMet: () => Promise<boolean>,
  { what, withinMs, signal }: { readonly what: string; readonly withinMs: number; readonly signal: AbortSignal },
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await isMet())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${withinMs / 1000} s`);
    await sleep(pollMs, undefined, { signal });
  }
};
