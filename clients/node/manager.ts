/**
 * A project's manager in a few lines: `import { manager } from 'parley/manager'` (docs/vnfm.md). It follows the events
 * of the project, asks the program what to answer, and sees to it that the answer arrives. It knows the service by its
 * HTTP API alone.
 */
import { type Call, createCall, Refused } from './call';
import { type EventRecord, followEvents, type ReadPosition } from './follow-events';
import type { Agreement, Answer, Constraints, Handlers, PlannedEvent, Question } from './words';

export { Refused } from './call';
export type { ReadPosition } from './follow-events';
export type { Action, Agreement, Answer, Constraints, Handlers, PlannedEvent, Question, QuestionState } from './words';

export interface ManagerOptions {
  /** The address of the API, such as http://127.0.0.1:12347. */
  readonly url: string;
  /** The ID of the project, in any form. */
  readonly projectId: string;
  /** Sent with each request; a function is asked each time, because tokens expire. Left out: nothing is sent. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Is told in words what went wrong: a stream that broke, a reply that was refused. Left out: `console.error`. */
  readonly tell?: (line: string) => void;
  /** Keeps the position in the stream over a restart. Left out: a restart reads the stream from its beginning. */
  readonly position?: ReadPosition;
}

export interface Manager {
  /**
   * Stores constraints of the project, groups first.
   *
   * @throws Refused when the service does not take one of them; it has stored the others
   */
  store(constraints: Constraints): Promise<void>;
  /**
   * Answers whatever the project is asked, until `signal` ends it. Questions are handled side by side. A question whose
   * handler throws, or gives no answer, stays open: the service then does what it does by default.
   */
  run(handlers: Handlers, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Items of one request at the most. */
const mostItems = 1_000;

export const manager = (options: ManagerOptions): Manager => {
  const { tell = console.error } = options;
  const api = `${options.url.replace(/\/+$/, '')}/v1`;
  const call = createCall(options.token);
  return {
    async store({ groups = [], instances = [] }) {
      const ofProject = (items: readonly object[]) => items.map((item) => ({ ...item, project_id: options.projectId }));
      for (const part of parts(ofProject(groups))) await storePart(call, api, { instance_groups: part });
      for (const part of parts(ofProject(instances))) await storePart(call, api, { instances: part });
    },
    async run(handlers, { signal = new AbortController().signal } = {}) {
      const url = `${api}/events?project_id=${encodeURIComponent(options.projectId)}`;
      const handle = (record: EventRecord): Promise<void> =>
        handleEvent({ call, tell, signal }, handlers, record).catch((error: unknown) => {
          if (!signal.aborted) tell(String(error));
        });
      await followEvents({ url, call, signal, tell, position: options.position, handle });
    },
  };
};

const parts = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / mostItems) }, (_, index) =>
    items.slice(index * mostItems, (index + 1) * mostItems),
  );

interface StoredAnswer {
  readonly failed: readonly { readonly pointer: string; readonly problem: { readonly detail?: string } }[];
}

const storePart = async (call: Call, api: string, body: object): Promise<void> => {
  const answer = (await call('PUT', `${api}/constraints`, { body })) as StoredAnswer;
  if (answer.failed.length === 0) return;
  const lines = answer.failed.map(({ pointer, problem }) => `${pointer}: ${problem.detail ?? 'refused'}`);
  throw new Refused(lines.join('; '), 422);
};

interface Surroundings {
  readonly call: Call;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

const handleEvent = async (around: Surroundings, handlers: Handlers, { payload }: EventRecord): Promise<void> => {
  const event = payload as unknown as PlannedEvent;
  if (typeof event.reply_url !== 'string' || event.reply_url === '') return handlers.told?.(event);
  const handler = handlers[event.state as keyof Handlers] as ((question: Question) => unknown) | undefined;
  if (handler === undefined || event.reply_at === '') return handlers.told?.(event);
  const times = timesIn(event);
  // A reader of an old stream meets questions that are over.
  if (times.replyAt.getTime() <= Date.now()) return;
  const question: Question = {
    ...{ event, ...times },
    state: event.state,
    sessionId: event.session_id,
    instanceIds: await instancesOf(around, { event, ...times }),
    allowedActions: event.allowed_actions,
    metadata: event.metadata ?? {},
  };
  const answer = (await handler(question)) as Answer;
  if (answer !== undefined) await reply(around, question, answer);
};

const timesIn = (event: PlannedEvent): Pick<Question, 'replyAt' | 'actionsAt' | 'notBeforeLatest'> => {
  const { reply_at: replyAt, actions_at: actionsAt, not_before_latest: latest } = event;
  return {
    ...{ replyAt: timeOf(replyAt), actionsAt: timeOf(actionsAt) },
    ...(latest !== undefined && { notBeforeLatest: timeOf(latest) }),
  };
};

/** Times of events are in UTC, without a zone in the text. */
const timeOf = (text: string): Date => new Date(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);

const instancesOf = async (
  around: Surroundings,
  { event: { instance_ids: ids }, replyAt: until }: Pick<Question, 'event' | 'replyAt'>,
): Promise<readonly string[]> => {
  if (typeof ids !== 'string') return ids;
  if (ids === '') return [];
  if (!/^https?:/.test(ids)) return [ids];
  return ((await around.call('GET', ids, { ...around, until })) as { readonly instance_ids: readonly string[] })
    .instance_ids;
};

const timesOf = ({ notBefore, instanceNotBefore }: Agreement): object => ({
  ...(notBefore && { not_before: notBefore.toISOString() }),
  ...(instanceNotBefore && {
    instance_not_before: Object.fromEntries(
      Object.entries(instanceNotBefore).map(([id, time]) => [id, time.toISOString()]),
    ),
  }),
});

/** A question about one instance takes one action at its own address. */
const bodyOf = ({ event, state }: Question, answer: Exclude<Answer, undefined>): object => {
  const { actions = {}, ...times }: Agreement = typeof answer === 'string' ? {} : answer;
  const said = { session_id: event.session_id, state: `${answer === 'NACK' ? 'NACK' : 'ACK'}_${state}` };
  const body = { ...said, ...timesOf(times) };
  if (typeof event.instance_ids === 'string') return { ...body, instance_actions: actions };
  const [only] = Object.values(actions);
  return only === undefined ? body : { ...body, instance_action: only };
};

/** Sends a reply until the service has taken or refused it, or its time is over. */
const reply = async (around: Surroundings, question: Question, answer: Exclude<Answer, undefined>): Promise<void> => {
  const { event, replyAt, sessionId, state } = question;
  try {
    await around.call('PUT', event.reply_url, { ...around, body: bodyOf(question, answer), until: replyAt });
  } catch (error) {
    const what = error instanceof Refused ? 'was refused' : 'did not arrive in time';
    throw new Error(`the reply to ${state} of session ${sessionId} ${what}: ${String(error)}`, { cause: error });
  }
};
