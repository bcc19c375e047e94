/** An infrastructure admin's requests to the service, over HTTP. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WaitingBody } from '../../../api/schemas/waiting-schema';
import { type Awaited, eventually, Hopeless } from '../../waiting/eventually';
import { type Answer, bodyOf, callHttp } from '../../waiting/http';

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

export type { Answer } from '../../waiting/http';

export interface Admin {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates a session that begins now and returns its ID. */
  create(request?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Asks for little: whoever waits for a state asks often, and a detail takes the service twenty queries. */
  stateOf(sessionId: string): Promise<string>;
  /** @throws Error with the whole answer where it is not a detail */
  detail(sessionId: string): Promise<SessionDetail>;
  /** Tells whoever waits for something of a session whether it goes on, and where it stands. */
  watching(sessionId: string): Pick<Awaited, 'progress' | 'explain'>;
  /** Waits until the session is in one of these states and returns its detail. */
  until(sessionId: string, ...states: readonly string[]): Promise<SessionDetail>;
  /** Waits until the session's detail has such a reason, and returns it. */
  untilReason(sessionId: string, isWanted: (reason: WaitingBody) => boolean): Promise<WaitingBody>;
}

/** Remaining times count: a timer that runs ends by itself. */
const progressOf = async (call: Admin['call'], sessionId: string): Promise<string> =>
  JSON.stringify(await call('GET', `/maintenance/${sessionId}/detail`));

const endStates: readonly string[] = ['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'];

const isOver = ({ state }: SessionDetail): boolean => endStates.includes(state);

const standing = ({ session, hosts }: SessionDetail): string =>
  `It stands so: ${JSON.stringify(session, null, 1)}, hosts ${JSON.stringify(hosts)}`;

/**
 * On a slow machine a transaction may wait too long for its connection, and a plan for those before it. The hint says
 * to repeat the request.
 */
const isToBeRepeated = ({ status, body }: Answer): boolean =>
  status === 503 && ['NOT_RECORDED', 'PLANNER_BUSY'].includes((body as { readonly code?: string }).code ?? '');

const attempts = 60;
const betweenAttemptsMs = 1_000;

/** @param url of the API, with /v1 */
export const anAdmin = (url: string): Admin => {
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await callHttp({ method, url: `${url}${path}`, body });
      if (!isToBeRepeated(answer) || attempt === attempts) return answer;
      await pause(betweenAttemptsMs);
    }
  };
  const detail = async (sessionId: string): Promise<SessionDetail> =>
    (await bodyOf({ method: 'GET', url: `${url}/maintenance/${sessionId}/detail` })) as SessionDetail;
  const stateOf = async (sessionId: string): Promise<string> =>
    ((await bodyOf({ method: 'GET', url: `${url}/maintenance/${sessionId}` })) as Pick<SessionDetail, 'state'>).state;
  const watching = (sessionId: string) => ({
    progress: () => progressOf(call, sessionId),
    explain: async () => standing(await detail(sessionId)),
  });
  return {
    call,
    stateOf,
    detail,
    watching,
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
    until(sessionId, ...states) {
      const what = `session ${sessionId} is ${states.join(' or ')}`;
      const isLasting = states.every((state) => endStates.includes(state));
      return eventually({ what, isLasting, ...watching(sessionId) }, async () => {
        const state = await stateOf(sessionId);
        if (state !== 'MAINTENANCE_FAILED' && !states.includes(state)) return undefined;
        const now = await detail(sessionId);
        if (states.includes(now.state)) return now;
        if (now.state !== 'MAINTENANCE_FAILED') return undefined;
        throw new Hopeless(`${what}: it is not. ${standing(now)}`);
      });
    },
    untilReason(sessionId, isWanted) {
      const what = `session ${sessionId} has a reason like ${isWanted.toString()}`;
      // A detail takes the service many queries, and hardly a reason goes away by itself.
      return eventually({ what, isLasting: true, ...watching(sessionId) }, async () => {
        const now = await detail(sessionId);
        const found = now.session.waiting.find(isWanted);
        if (found === undefined && isOver(now)) throw new Hopeless(`${what}: none was seen. ${standing(now)}`);
        return found;
      });
    },
  };
};
