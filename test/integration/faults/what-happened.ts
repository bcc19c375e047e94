/**
 * The facts of sessions that were under fire, from those who were there: the cloud's log, the bus, the stream, the
 * database.
 */
import type { Database } from '../../../prisma/database';
import { eventually } from '../../waiting/eventually';
import { readTopic } from '../events/topic-reader';
import { followEvents } from '../rig/event-stream';

export interface LoggedMove {
  readonly claimId: string;
  readonly instanceId: string;
  readonly action: string;
  readonly source: string;
  readonly forced: boolean;
  readonly status: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

export interface AskedQuestion {
  readonly messageId: string;
  readonly projectId: string;
  readonly state: string;
  readonly hostname: string | null;
  readonly status: string;
  readonly answer: string | null;
  readonly instanceActions: unknown;
}

/** The events of one session, wherever they can be read. */
export interface SeenEvents {
  /** Recorded with their facts: number within the session and message_id. */
  readonly recorded: readonly { readonly seq: number; readonly messageId: string }[];
  /** message_ids as a consumer of Kafka gets them, repeats included. */
  readonly onKafka: readonly string[];
  /** message_ids as GET /v1/events shows them. */
  readonly onStream: readonly string[];
}

export interface WhatHappened {
  /** The moves in the cloud's own log, in the order of their beginnings. */
  readonly moves: readonly LoggedMove[];
  /** The instances of all claims: each is the leave for one move. */
  readonly grants: readonly { readonly id: string; readonly instanceId: string }[];
  readonly questions: readonly AskedQuestion[];
  /** The events of each session. */
  readonly events: readonly SeenEvents[];
  readonly disabledHosts: readonly string[];
  /** Says in words what remains of the sessions' work when they are over. */
  readonly leftOver: readonly string[];
  /** The times of all happenings, in order: events, questions, answers, beginnings and ends of actions. */
  readonly progress: readonly Date[];
  /** The times when events reached the bus, in order. */
  readonly published: readonly Date[];
}

interface SeenEvent {
  readonly sessionId: string;
  readonly messageId: string;
}

/** Reads the stream from its beginning until it has this number of events of sessions. */
const readStream = async (url: string, count: number): Promise<SeenEvent[]> => {
  const seen: SeenEvent[] = [];
  const stopped = new AbortController();
  const { signal } = stopped;
  void followEvents({
    url: `${url}/events`,
    signal,
    tell({ message_id: messageId, payload }) {
      const sessionId = payload['session_id'];
      if (typeof sessionId === 'string') seen.push({ sessionId, messageId });
    },
  });
  await eventually(`${count} events are on the stream`, () =>
    Promise.resolve(seen.length >= count || undefined),
  ).finally(() => stopped.abort());
  return seen;
};

interface Topic {
  readonly kafkaBrokers: readonly string[];
  readonly topic: string;
}

const readKafka = async ({ kafkaBrokers, topic }: Topic, count: number): Promise<SeenEvent[]> => {
  const reader = await readTopic(kafkaBrokers, topic);
  await reader.waitFor(count);
  await reader.close();
  return reader.received.map(({ key, envelope }) => ({ sessionId: key, messageId: envelope.message_id }));
};

const messagesOf = (seen: readonly SeenEvent[], session: string): string[] =>
  seen.filter(({ sessionId }) => sessionId === session).map(({ messageId }) => messageId);

const byTime = (one: Date, other: Date): number => one.getTime() - other.getTime();

const inOrder = (times: readonly (Date | null)[]): Date[] => times.filter((time) => time !== null).sort(byTime);

const findLeftOver = async (db: Database): Promise<string[]> => {
  const reservations = await db.reservation.findMany();
  const claims = await db.claim.findMany({ where: { phase: { in: ['asked', 'moving'] } } });
  return [
    ...reservations.map(({ instanceId }) => `a reservation for ${instanceId} is left`),
    ...claims.map(({ instanceId, phase }) => `a claim on ${instanceId} is still ${phase}`),
  ];
};

interface Sources extends Topic {
  readonly db: Database;
  readonly url: string;
}

/** @param sessionIds all sessions of the service */
export const readWhatHappened = async (sources: Sources, ...sessionIds: readonly string[]): Promise<WhatHappened> => {
  const { db, url } = sources;
  const events = await db.event.findMany({ orderBy: { seq: 'asc' } });
  const claims = await db.claim.findMany();
  const disabled = await db.simHost.findMany({ where: { disabled: true } });
  const moves = await db.simMove.findMany({ orderBy: { startedAt: 'asc' } });
  const questions = await db.question.findMany({ orderBy: { createdAt: 'asc' } });
  const onKafka = await readKafka(sources, events.length);
  const onStream = await readStream(url, events.length);
  return {
    moves,
    grants: claims.map(({ id, instanceId }) => ({ id, instanceId })),
    questions,
    events: sessionIds.map((session) => ({
      recorded: events
        .filter(({ sessionId }) => sessionId === session)
        .map(({ seq, messageId }) => ({ seq, messageId })),
      onKafka: messagesOf(onKafka, session),
      onStream: messagesOf(onStream, session),
    })),
    disabledHosts: disabled.map(({ name }) => name),
    leftOver: await findLeftOver(db),
    progress: inOrder([
      ...events.map(({ createdAt }) => createdAt),
      ...claims.flatMap((claim) => [claim.startedAt, claim.endedAt]),
      ...questions.flatMap((question) => [question.askedAt, question.answeredAt, question.closedAt]),
      ...moves.flatMap((move) => [move.startedAt, move.endedAt]),
    ]),
    published: inOrder(events.map(({ publishedAt }) => publishedAt)),
  };
};
