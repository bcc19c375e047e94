/** What an infrastructure admin does with the service, over HTTP. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WaitingBody } from '../../../api/schemas/session-schemas';

export interface SessionDetail {
  readonly state: string;
  readonly percent_done: number;
  readonly session: {
    readonly state: string;
    readonly prev_state: string;
    readonly failure: string | null;
    readonly waiting: readonly WaitingBody[];
    readonly [key: string]: unknown;
  };
  readonly instances: readonly Readonly<Record<string, unknown>>[];
  readonly hosts: readonly Readonly<Record<string, unknown>>[];
  readonly action_plugin_instances: readonly Readonly<Record<string, unknown>>[];
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Admin {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates a session that begins now and returns its ID. */
  create(request?: Readonly<Record<string, unknown>>): Promise<string>;
  detail(sessionId: string): Promise<SessionDetail>;
  /** Waits until the session is in one of these states and returns its detail. */
  until(sessionId: string, ...states: readonly string[]): Promise<SessionDetail>;
  /** Waits until the session's detail has such a reason, and returns it. */
  untilReason(sessionId: string, isWanted: (reason: WaitingBody) => boolean): Promise<WaitingBody>;
}

const pollMs = 100;
/** A busy machine may take its time. */
const usualPatienceMs = 180_000;

/** @param patienceMs how long a session may take to get into a state */
export const anAdmin = (url: string, patienceMs = usualPatienceMs): Admin => {
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  const detail = async (sessionId: string): Promise<SessionDetail> =>
    (await call('GET', `/maintenance/${sessionId}/detail`)).body as SessionDetail;
  /** Many sessions are waited for at once: asked this, the service has little to do. */
  const stateOf = async (sessionId: string): Promise<string> =>
    ((await call('GET', `/maintenance/${sessionId}`)).body as Pick<SessionDetail, 'state'>).state;
  return {
    call,
    detail,
    async create(request = {}) {
      const answer = await call('POST', '/maintenance', {
        state: 'MAINTENANCE',
        maintenance_at: '2026-01-01 00:00:00',
        workflow: 'default',
        metadata: {},
        ...request,
      });
      if (answer.status !== 200) throw new Error(`create: ${answer.status} ${JSON.stringify(answer.body)}`);
      return (answer.body as { session_id: string }).session_id;
    },
    async until(sessionId, ...states) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const isOver = Date.now() > deadline;
        const state = await stateOf(sessionId);
        if (isOver || state === 'MAINTENANCE_FAILED' || states.includes(state)) {
          const now = await detail(sessionId);
          if (states.includes(now.state)) return now;
          if (isOver || now.state === 'MAINTENANCE_FAILED') {
            const session = JSON.stringify(now.session, null, 1);
            throw new Error(`session is ${now.state}, not ${states.join(' or ')}: ${session}`);
          }
        }
        await pause(pollMs);
      }
    },
    async untilReason(sessionId, isWanted) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const { session } = await detail(sessionId);
        const found = session.waiting.find(isWanted);
        if (found) return found;
        const isOver = ['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'].includes(session.state);
        if (isOver || Date.now() > deadline) throw new Error(`no reason was seen like ${isWanted.toString()}`);
        await pause(pollMs);
      }
    },
  };
};
