/**
 * Tells who did what in a session, when and why: from the audit of the requests that were carried out, and from the
 * questions that nobody replied to.
 */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { type AuditRecord, findAuditEntries } from '../../prisma/audit/audit-entries';
import type { Database } from '../../prisma/database';
import { type AnswersWithoutReply, findAnswersWithoutReply } from '../../prisma/questions/answers-without-reply';
import { findSessionProgress } from '../../prisma/session/session-progress';
import { gistOfRequest, requestInWords } from '../../rules/words/requests';
import { count } from '../../rules/words/times';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { RecordEntryBody, SessionRecordBody } from '../schemas/record-schemas';
import { projectNamesIn } from '../showing/name-projects';

export interface RecordDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
}

export type SessionRecordOf = (sessionId: string) => Promise<SessionRecordBody>;

/** A session of a thousand hosts has thousands of replies. */
const mostRequests = 1_000;

/** @throws ApiError 404 */
export const createSessionRecord =
  ({ db, cloud }: RecordDeps): SessionRecordOf =>
  async (sessionId) => {
    const session = await findSessionProgress(db, sessionId);
    if (session === null || (session.deletedAt !== null && session.archivedAt === null))
      throw sessionNotFound(sessionId);
    const requests = await findAuditEntries(db, { sessionId, isDone: true, limit: mostRequests });
    const unreplied = await findAnswersWithoutReply(db, sessionId);
    const names = await projectNamesIn(cloud, [
      ...unreplied,
      ...requests.map(({ projectId }) => ({ projectId: projectId ?? undefined })),
    ]);
    const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
    const entries = [...requestsAsEntries(requests.toReversed()), ...unreplied.map(unrepliedAsEntry)]
      .map((entry): RecordEntryBody => ({ ...entry, project_name: nameOf(entry.project_id) }))
      .toSorted((one, other) => one.at.localeCompare(other.at, 'en'));
    return { session_id: sessionId, entries };
  };

type NamelessEntry = Omit<RecordEntryBody, 'project_name'>;

/** Requests that differ in their instance alone are told as one. */
const requestsAsEntries = (requests: readonly AuditRecord[]): NamelessEntry[] => {
  const runs: AuditRecord[][] = [];
  for (const request of requests) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && likenessOf(run[0]) === likenessOf(request)) run.push(request);
    else runs.push([request]);
  }
  return runs.flatMap(asEntry);
};

const likenessOf = (request: AuditRecord): string =>
  JSON.stringify([request.role, request.caller, request.projectId, request.reason, gistOfRequest(request)]);

const asEntry = (run: readonly AuditRecord[]): NamelessEntry[] => {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isOne = run.length === 1;
  return [
    {
      at: first.begunAt.toISOString(),
      last_at: last.begunAt.toISOString(),
      count: run.length,
      by: first.role,
      who: first.callerName ?? first.caller,
      project_id: first.projectId,
      did: isOne ? requestInWords(first) : `${gistOfRequest(first)} (${run.length} times)`,
      reason: first.reason,
    },
  ];
};

const unrepliedAsEntry = ({
  projectId,
  state,
  answeredBy,
  questions,
  firstAt,
  lastAt,
}: AnswersWithoutReply): NamelessEntry => ({
  at: firstAt.toISOString(),
  last_at: lastAt.toISOString(),
  count: questions,
  by: answeredBy ?? 'nobody',
  who: null,
  project_id: projectId,
  did:
    answeredBy === null
      ? `stayed silent about ${count(questions, 'question')} of ${state}: the default followed`
      : `answered ${count(questions, 'question')} of ${state} by its terms`,
  reason: null,
});
