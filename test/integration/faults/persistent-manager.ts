/**
 * A manager (VNFM) that lives through failures of the service: it repeats a failed call until it is stopped, however
 * long the service takes to start again, and keeps a log of every reply that got its 200.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { followEvents, type StreamedEnvelope } from '../rig/event-stream';
import type { PlannedEvent } from '../rig/manager';

export interface TakenReply {
  /** The ID of the event that asked. */
  readonly messageId: string;
  readonly projectId: string;
  readonly state: string;
  readonly actions: Readonly<Record<string, string>>;
}

export interface PersistentManager {
  readonly taken: readonly TakenReply[];
  /** Resolves when every reply to what it was asked so far is taken or refused. */
  answered(): Promise<unknown>;
  stop(): void;
}

export interface PersistentManagerOptions {
  /** The API, with /v1. */
  readonly url: string;
  readonly projectId: string;
  /** The action for an instance. */
  readonly actionFor: (instanceId: string) => string;
}

const betweenAttemptsMs = 2_000;

/** The answer, or undefined when the manager is stopped; what the service refuses (4xx) is not tried again. */
const persistently = async (stopped: AbortSignal, call: () => Promise<Response>): Promise<Response | undefined> => {
  while (!stopped.aborted) {
    const response = await call().catch(() => undefined);
    if (response !== undefined && response.status < 500) return response;
    await pause(betweenAttemptsMs);
  }
  return undefined;
};

const instancesOf = async (stopped: AbortSignal, { instance_ids: ids }: PlannedEvent): Promise<readonly string[]> => {
  if (typeof ids !== 'string') return ids;
  const response = await persistently(stopped, () => fetch(ids));
  return response?.ok === true ? ((await response.json()) as { instance_ids: string[] }).instance_ids : [];
};

/** The states that await a reply; the others only tell what has happened. */
const askingStates = new Set([
  'MAINTENANCE',
  'SCALE_IN',
  'PREPARE_MAINTENANCE',
  'PLANNED_MAINTENANCE',
  'MAINTENANCE_COMPLETE',
]);

const questionIn = ({ event_type, message_id, payload }: StreamedEnvelope): PlannedEvent | undefined => {
  const event = { ...(payload as unknown as PlannedEvent), message_id };
  return event_type === 'maintenance.planned' && askingStates.has(event.state) ? event : undefined;
};

/** A question about one instance has its own reply_url, and its reply names one action. */
const actionsOf = ({ instance_ids: ids }: PlannedEvent, actions: Readonly<Record<string, string>>) =>
  typeof ids === 'string' ? { instance_actions: actions } : { instance_action: Object.values(actions)[0] };

const offersActions = ({ state }: PlannedEvent): boolean =>
  state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE';

export const startPersistentManager = ({ url, projectId, actionFor }: PersistentManagerOptions): PersistentManager => {
  const taken: TakenReply[] = [];
  const answers: Promise<void>[] = [];
  const stopped = new AbortController();
  const answer = async (event: PlannedEvent): Promise<void> => {
    const { state, message_id: messageId, reply_url: replyUrl } = event;
    const instanceIds = offersActions(event) ? await instancesOf(stopped.signal, event) : [];
    const actions = Object.fromEntries(instanceIds.map((id) => [id, actionFor(id)]));
    const response = await persistently(stopped.signal, () =>
      fetch(replyUrl, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ state: `ACK_${state}`, ...actionsOf(event, actions) }),
      }),
    );
    if (response?.status === 200) taken.push({ messageId, projectId, state, actions });
  };
  void followEvents({
    url: `${url}/events?project_id=${projectId}`,
    signal: stopped.signal,
    tell(envelope) {
      const event = questionIn(envelope);
      if (event !== undefined) answers.push(answer(event));
    },
  });
  return { taken, answered: () => Promise.all(answers), stop: () => stopped.abort() };
};
