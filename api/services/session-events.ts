/** Tells the last events of a session, with the names of what they are about. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findEndedMoves, findInstanceNames } from '../../prisma/session/session-names';
import { keyOf } from '../../rules/cloud/id';
import { eventInWords, type EventNames, instancesOf } from '../../rules/words/events';
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

type SentPayload = SentEvent['envelope']['payload'];

export const createSessionEvents =
  ({ db, cloud, events }: SessionEventsDeps): SessionEventsOf =>
  async (sessionId) => {
    const sent = await events.ofSession({ sessionId, limit: eventsOfSession });
    const projects = sent.flatMap(({ envelope }) => projectOf(envelope.payload) ?? []);
    const keys = [...new Set(sent.flatMap(({ envelope }) => instancesOf(envelope.payload).map(keyOf)))];
    const [projectNames, instances, moves] = await Promise.all([
      projectNamesIn(
        cloud,
        projects.map((projectId) => ({ projectId })),
      ),
      findInstanceNames(db, { sessionId, keys }),
      findEndedMoves(db, { sessionId, keys }),
    ]);
    const nameOf = new Map(instances.map((one) => [one.instanceKey, one.instanceName]));
    const namesAt = (atMs: number): EventNames => ({
      project: (id) => projectNames.get(id),
      instance: (id) => nameOf.get(keyOf(id)),
      move: (id) => {
        const ended = moves.find(
          ({ instanceKey, endedAt }) => instanceKey === keyOf(id) && endedAt.getTime() <= atMs + slackMs,
        );
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

/** The project that the event is for; undefined: it is for admins, whose events name a project of the service. */
const projectOf = ({ project_id: id, reply_url: url }: SentPayload): string | undefined =>
  typeof id === 'string' && url !== undefined ? id : undefined;
