/**
 * Tells projects what is coming for their instances (maintenance.coming). Each round looks at every session that is not
 * done, by its records and the plan that is kept of it (planned-ends.ts), and compares it with what was told last
 * (rules/coming/worth-telling.ts). The removal of a session tells what is left (activities/session/remove-session.ts).
 */
import type { Logger } from 'pino';
import type { EventDrafts } from '../../events/drafts';
import { recordTellings } from '../../events/tell-coming';
import { findOverButTold, findToldComing } from '../../prisma/coming/told-coming';
import { type Database, databaseNow, inTurnOfSession, lockSession } from '../../prisma/database';
import { findAnswersInTime } from '../../prisma/questions/answers-in-time';
import { type ComingRecords, findSessionComing, withHostCounts } from '../../prisma/session/project-coming';
import {
  findSessionProgress,
  findUnfinishedSessions,
  type SessionProgress,
} from '../../prisma/session/session-progress';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import { comingIn } from '../../rules/coming/coming';
import type { Foretold } from '../../rules/coming/foretold';
import { type ComingOfProject, type TellingFacts, worthTelling } from '../../rules/coming/worth-telling';
import { answeredTimes } from '../../rules/owner-times/answered-times';
import type { OwnerTimes } from '../../rules/owner-times/release';
import type { RefusalLimits } from '../../rules/questions/after-refusal';
import { mayEnd } from '../summary/progress';
import { comingFacts } from './coming-facts';
import type { PlannedEnds } from './planned-ends';

export interface TellComingDeps {
  readonly db: Database;
  readonly drafts: Pick<EventDrafts, 'coming'>;
  readonly settings: RefusalLimits & { readonly comingMovedSeconds: number };
  readonly ends: Pick<PlannedEnds, 'movesOf'>;
  readonly logger: Logger;
}

/** One round. Two at the same time tell nothing twice. */
export const tellComing = async (deps: TellComingDeps): Promise<void> => {
  const { db, ends, logger } = deps;
  const unfinished = await findUnfinishedSessions(db);
  const planned = await withHostCounts(db, unfinished.filter(mayEnd));
  const foretold = await ends.movesOf(planned);
  for (const session of [...unfinished, ...(await findOverButTold(db))]) {
    // One that cannot be told keeps no other from it; the next round tries again.
    await tellOfSession(deps, session, foretold.get(session.id)).catch((error: unknown) => {
      logger.error({ err: error, sessionId: session.id }, 'projects could not be told what is coming');
    });
  }
};

const tellOfSession = async (
  { db, drafts, settings }: TellComingDeps,
  session: SessionProgress,
  foretold: Foretold | undefined,
): Promise<void> => {
  const { id: sessionId } = session;
  const records = await findSessionComing(db, sessionId);
  const answers = (await findAnswersInTime(db, sessionId)).get(sessionId) ?? [];
  const now = await databaseNow(db);
  const ownerTimes = answeredTimes(answers, settings);
  const facts = {
    now: comingOfAll({ session, records, now, ownerTimes, ...(foretold && { foretold }) }),
    isComplete: isComplete(session, foretold),
    ended: endedIn(records),
    movedMs: settings.comingMovedSeconds * 1000,
  };
  const told = await findToldComing(db, sessionId);
  if (worthTelling({ ...facts, told }).length === 0) return;
  await inTurnOfSession(db, sessionId, async (tx) => {
    await lockSession(tx, sessionId);
    const present = await findSessionProgress(tx, sessionId);
    // Its removal has told what was left.
    if (present === null || present.deletedAt?.getTime() !== session.deletedAt?.getTime()) return;
    const tellings = worthTelling({ ...facts, told: await findToldComing(tx, sessionId) });
    await recordTellings(tx, drafts, { sessionId, reason: present.reason, tellings });
  });
};

/** Without a plan nobody knows what else is coming, unless nothing comes any more. */
const isComplete = (session: SessionProgress, foretold: Foretold | undefined): boolean =>
  session.state === 'MAINTENANCE_DONE' ||
  session.deletedAt !== null ||
  session.abortRequestedAt !== null ||
  session.deleteRequestedAt !== null ||
  (mayEnd(session) && foretold !== undefined);

interface SessionInTime {
  readonly session: SessionProgress;
  readonly records: ReadonlyMap<IdKey, ComingRecords>;
  readonly now: Date;
  readonly ownerTimes: ReadonlyMap<IdKey, OwnerTimes>;
  readonly foretold?: Foretold;
}

const comingOfAll = ({ records, foretold, ...looked }: SessionInTime): readonly ComingOfProject[] => {
  const moves = Map.groupBy(foretold?.moves ?? [], ({ projectId }) => keyOf(projectId));
  const keys = new Set([...records.keys(), ...moves.keys()]);
  return [...keys].flatMap((key) => {
    const own = moves.get(key) ?? [];
    const known = records.get(key) ?? { projectId: own[0]?.projectId ?? key, instances: [], claims: [], questions: [] };
    const facts = comingFacts({
      ...{ ...looked, records: known },
      ...(foretold && { foretold: { ...foretold, moves: own } }),
    });
    return comingIn(facts).map((entry) => ({ ...entry, projectId: known.projectId }));
  });
};

/** An instance that was evicted has no entry any more. */
const endedIn = (records: ReadonlyMap<IdKey, ComingRecords>): TellingFacts['ended'] =>
  new Set(
    [...records.values()].flatMap(({ claims }) =>
      claims
        .filter(({ outcome, startedAtMs }) => startedAtMs !== null && (outcome === 'done' || outcome === 'gone'))
        .map(({ instanceId }) => keyOf(instanceId)),
    ),
  );
