/** Keeps all events of the service in their order, as an admin sees them on the stream. */
import { eventually } from '../../waiting/eventually';
import { followEvents, type StreamedEnvelope } from './event-stream';

export interface EventLog {
  /** The session's events so far. */
  readonly of: (sessionId: string) => readonly StreamedEnvelope[];
  /** Waits until the session's event with this type and state is there, and returns all of its events. */
  readonly until: (sessionId: string, eventType: string, state: string) => Promise<readonly StreamedEnvelope[]>;
  readonly stop: () => void;
}

/** @param url of the API, with /v1 */
export const keepEventLog = (url: string): EventLog => {
  const log: StreamedEnvelope[] = [];
  const stopped = new AbortController();
  const { signal } = stopped;
  void followEvents({ url: `${url}/events`, signal, tell: (envelope) => void log.push(envelope) });
  const of = (sessionId: string) => log.filter(({ payload }) => payload['session_id'] === sessionId);
  return {
    of,
    until: (sessionId, eventType, state) =>
      eventually(`${eventType} ${state} of session ${sessionId} is on the stream`, () => {
        const events = of(sessionId);
        const isTold = events.some((event) => event.event_type === eventType && event.payload['state'] === state);
        return Promise.resolve(isTold ? events : undefined);
      }),
    stop: () => stopped.abort(),
  };
};

export const sessionEvents = (events: readonly StreamedEnvelope[]) =>
  events.filter(({ event_type }) => event_type === 'maintenance.session').map(({ payload }) => payload);

/** The states that the session went through, host reports left out. */
export const statesIn = (events: readonly StreamedEnvelope[]): string[] =>
  sessionEvents(events)
    .map(({ state }) => String(state))
    .filter((state) => state !== 'IN_MAINTENANCE')
    .filter((state, index, all) => state !== all[index - 1]);

/** The events about each host, in order. */
export const hostEvents = (events: readonly StreamedEnvelope[]): Readonly<Record<string, readonly string[]>> => {
  const told: Record<string, string[]> = {};
  for (const { event_type, payload } of events) {
    if (event_type === 'maintenance.host') (told[String(payload['host'])] ??= []).push(String(payload['state']));
  }
  return told;
};

export const plannedEvents = (events: readonly StreamedEnvelope[], state?: string) =>
  events
    .filter(
      ({ event_type, payload }) =>
        event_type === 'maintenance.planned' && payload['state'] === (state ?? payload['state']),
    )
    .map(({ payload }) => payload);
