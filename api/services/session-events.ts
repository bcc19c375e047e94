/** Tells the last events of a session, with the names of what they are about. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { type EndedMove, findEndedMoves, findInstanceNames } from '../../prisma/session/session-names';
import { keyOf } from '../../rules/cloud/id';
import { eventInWords, type EventNames, instancesToName, movedInstanceOf } from '../../rules/words/events';
import type { SentEvent } from '../routes/event-stream';
import type { SessionEventsBody } from '../schemas/event-schemas';
import { projectNamesIn } from '../showing/name-projects';

/** The newest events of a session, the newest first (events/stream.ts). */
export interface SessionEvents {
  ofSession(query: { readonly sessionId: string; readonly limit: number }): Promise<readonly SentEvent[]>;
}

export interface SessionEventsDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly events: SessionEvents;
}

export type SessionEventsOf = (sessionId: string) => Promise<SessionEventsBody>;

/** Enough events for a person who asks what has just happened. */
const eventsOfSession = 50;

/** An event is recorded with the end of its move, by another clock: that much may lie between the two. */
const slackMs = 1_000;

/** A move that ended longer before is not the one of the event, whose own move may have left no place to tell. */
const longestBeforeMs = 60_000;

type SentPayload = SentEvent['envelope']['payload'];

export const createSessionEvents =
  ({ db, cloud, events }: SessionEventsDeps): SessionEventsOf =>
  async (sessionId) => {
    const sent = await events.ofSession({ sessionId, limit: eventsOfSession });
    const projects = sent.flatMap(({ envelope }) => projectOf(envelope.payload) ?? []);
    const keys = [...new Set(sent.flatMap(({ envelope }) => instancesToName(envelope.payload).map(keyOf)))];
    const [projectNames, instances, moves] = await Promise.all([
      projectNamesIn(
        cloud,
        projects.map((projectId) => ({ projectId })),
      ),
      findInstanceNames(db, { sessionId, keys }),
      findToldMoves(db, sessionId, sent),
    ]);
    const nameOf = new Map(instances.map((one) => [one.instanceKey, one.instanceName]));
    const namesAt = (atMs: number): EventNames => ({
      project: (id) => projectNames.get(id),
      instance: (id) => nameOf.get(keyOf(id)),
      move: (id) => {
        const ended = moves.find((move) => move.instanceKey === keyOf(id) && isToldAt(move, atMs));
        return ended && { target: ended.target, seconds: (ended.endedAt.getTime() - ended.startedAt.getTime()) / 1000 };
      },
    });
    return {
      events: sent.map((one) => {
        const { event_type: type, timestamp, payload } = one.envelope;
        const projectId = projectOf(payload);
        return {
          ...{ id: String(one.position), event_type: type, timestamp, payload: { ...payload } },
          words: eventInWords(type, payload, namesAt(Date.parse(timestamp))),
          host: typeof payload['host'] === 'string' ? payload['host'] : null,
          project_id: projectId ?? null,
          project_name: (projectId === undefined ? undefined : projectNames.get(projectId)) ?? null,
        };
      }),
    };
  };

const isToldAt = ({ endedAt }: EndedMove, atMs: number): boolean =>
  endedAt.getTime() >= atMs - longestBeforeMs && endedAt.getTime() <= atMs + slackMs;

/** The moves that the events tell. The newest first. */
const findToldMoves = async (
  db: Database,
  sessionId: string,
  sent: readonly SentEvent[],
): Promise<readonly EndedMove[]> => {
  const told = sent.flatMap(({ envelope: { payload, timestamp } }) => {
    const id = movedInstanceOf(payload);
    return id === undefined ? [] : [{ key: keyOf(id), atMs: Date.parse(timestamp) }];
  });
  if (told.length === 0) return [];
  const times = told.map(({ atMs }) => atMs);
  return findEndedMoves(db, {
    sessionId,
    keys: [...new Set(told.map(({ key }) => key))],
    from: new Date(Math.min(...times) - longestBeforeMs),
    to: new Date(Math.max(...times) + slackMs),
  });
};

/** The project that the event is for; undefined: it is for admins, whose events name a project of the service. */
const projectOf = ({ project_id: id, reply_url: url }: SentPayload): string | undefined =>
  typeof id === 'string' && url !== undefined ? id : undefined;
