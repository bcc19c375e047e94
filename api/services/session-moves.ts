/** Tells the moves of a session that have begun, also those that are over. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findReportedMoves, type ReportedMove } from '../../prisma/session/session-report';
import { findSessionState } from '../../prisma/session/sessions';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { SessionMovesBody } from '../schemas/move-schemas';
import { projectNamesIn } from '../showing/name-projects';

type ShownMove = SessionMovesBody['moves'][number];

export interface MovesDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
}

/** @param since left out: from its begin */
export type SessionMovesOf = (sessionId: string, since?: Date) => Promise<SessionMovesBody>;

/** @throws ApiError 404 */
export const createSessionMoves =
  ({ db, cloud }: MovesDeps): SessionMovesOf =>
  async (sessionId, since) => {
    if ((await findSessionState(db, sessionId)) === undefined) throw sessionNotFound(sessionId);
    const moves = await findReportedMoves(db, sessionId, since);
    const names = await projectNamesIn(cloud, moves);
    return { session_id: sessionId, moves: moves.map((move) => toMove(move, names.get(move.projectId) ?? null)) };
  };

const toMove = (move: ReportedMove, projectName: string | null): ShownMove => ({
  instance_id: move.instanceId,
  instance_name: move.instanceName,
  project_id: move.projectId,
  project_name: projectName,
  action: move.action,
  host: move.source,
  target: move.target === '' ? null : move.target,
  from: move.startedAt.toISOString(),
  to: move.endedAt?.toISOString() ?? null,
  outcome: outcomeOf(move),
});

const outcomeOf = ({ outcome }: ReportedMove): ShownMove['outcome'] =>
  outcome === null || outcome === 'done' || outcome === 'gone' ? outcome : 'stayed';
