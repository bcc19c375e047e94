/**
 * Tells what is coming for the instances of a project, by rules/coming/coming.ts: of each session that is not done,
 * from its records and from the plan that is kept of it (planned-ends.ts). No host is named, and no instance of
 * another project.
 */
import { type Database, databaseNow } from '../../prisma/database';
import { findAnswersInTime } from '../../prisma/questions/answers-in-time';
import { findProjectComing } from '../../prisma/session/project-coming';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { type Id, idOf, isSameId } from '../../rules/cloud/id';
import { type Coming, comingIn } from '../../rules/coming/coming';
import { answeredTimes } from '../../rules/owner-times/answered-times';
import { deadlineBefore } from '../../rules/owner-times/beyond-deadline';
import type { RefusalLimits } from '../../rules/questions/after-refusal';
import type { ComingBody, ComingEntryBody } from '../schemas/coming-schemas';
import { mayEnd } from '../summary/progress';
import { comingFacts } from './coming-facts';
import type { PlannedEnds } from './planned-ends';

export interface ComingDeps {
  readonly db: Database;
  readonly settings: RefusalLimits & { readonly baseUrl: string };
  readonly ends: Pick<PlannedEnds, 'movesOf'>;
}

/** @param instanceId left out: of all instances of the project */
export type ComingOf = (projectId: Id, instanceId?: Id) => Promise<ComingBody>;

export const createComing =
  (deps: ComingDeps): ComingOf =>
  async (projectId, instanceId) => {
    const entries = await entriesOf(deps, projectId);
    const isMeant = ({ instance_id: id }: ComingEntryBody): boolean =>
      instanceId === undefined || isSameId(idOf(id), instanceId);
    return { project_id: projectId.text, coming: entries.filter(isMeant) };
  };

const entriesOf = async ({ db, settings, ends }: ComingDeps, projectId: Id): Promise<readonly ComingEntryBody[]> => {
  const { sessions, recordsOf } = await findProjectComing(db, projectId);
  const foretold = await ends.movesOf(sessions.filter(({ session }) => mayEnd(session)));
  const answers = await findAnswersInTime(db);
  const now = await databaseNow(db);
  const entries = sessions.flatMap(({ session }) => {
    const [records, moves] = [recordsOf(session.id), foretold.get(session.id)];
    const ownerTimes = answeredTimes(answers.get(session.id) ?? [], settings);
    const facts = comingFacts({ session, records, now, ownerTimes, ...(moves && { foretold: moves }) });
    // A question has the form of the ID that its project knows.
    const form = records.questions[0]?.projectId ?? projectId.text;
    const address = `${settings.baseUrl}/v1/maintenance/${session.id}/${form}`;
    return comingIn(facts).map((one) => serialize(one, session, address));
  });
  return entries.toSorted((one, other) => timeOf(one).localeCompare(timeOf(other), 'en'));
};

/** Entries without a time come last. */
const timeOf = ({ started_at: started, starts_at: starts }: ComingEntryBody): string =>
  started ?? starts?.expected ?? '~';

const shown = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

const serialize = (one: Coming, { id, reason, deadline }: SessionProgress, address: string): ComingEntryBody => {
  const { startsAtMs: starts, question } = one;
  const instance = question?.instanceId ?? null;
  const notBefore = one.notBeforeMs === undefined ? undefined : new Date(one.notBeforeMs);
  return {
    instance_id: one.instanceId,
    instance_name: one.instanceName,
    session_id: id,
    reason,
    status: one.status,
    impact: one.impact ?? null,
    starts_at: starts
      ? {
          earliest: new Date(starts.earliest).toISOString(),
          expected: new Date(starts.expected).toISOString(),
          latest: new Date(starts.latest).toISOString(),
        }
      : null,
    started_at: shown(one.startedAtMs),
    ended_at: shown(one.endedAtMs),
    not_before: shown(one.notBeforeMs),
    not_before_latest: shown(one.notBeforeLatestMs),
    deadline: deadlineBefore(deadline, notBefore)?.toISOString() ?? null,
    reply_url: question ? [address, ...(instance === null ? [] : [instance])].join('/') : null,
  };
};
