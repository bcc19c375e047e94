/** Tells whom an admin must phone: tenants of a session, the time that is left, and how often they stayed silent. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { type AwaitedQuestion, findOpenQuestions } from '../../prisma/questions/open-questions';
import { findAskedProjects } from '../../prisma/session/session-report';
import { findSessionState } from '../../prisma/session/sessions';
import { keyOf } from '../../rules/cloud/id';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { SessionTenantsBody } from '../schemas/tenant-schemas';
import { contactsOf } from '../showing/name-contacts';
import { projectNamesIn } from '../showing/name-projects';
import { secondsUntil } from '../showing/seconds-until';

type Tenant = SessionTenantsBody['tenants'][number];

export interface TenantsDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
}

export type SessionTenantsOf = (sessionId: string) => Promise<SessionTenantsBody>;

/** @throws ApiError 404 */
export const createSessionTenants =
  ({ db, cloud }: TenantsDeps): SessionTenantsOf =>
  async (sessionId) => {
    if ((await findSessionState(db, sessionId)) === undefined) throw sessionNotFound(sessionId);
    const { questions, now } = await findOpenQuestions(db, null);
    const open = Map.groupBy(
      questions.filter((question) => question.sessionId === sessionId),
      ({ projectId }) => keyOf(projectId),
    );
    const asked = await findAskedProjects(db, sessionId);
    const names = await projectNamesIn(cloud, asked);
    const contactOf = await contactsOf(
      { db, cloud },
      asked.map(({ projectId }) => projectId),
    );
    const tenants = asked.map(({ projectId, asked: count, silent, refused }): Tenant => {
      return {
        project_id: projectId,
        project_name: names.get(projectId) ?? null,
        contact: contactOf(projectId).project_contact ?? null,
        ...openIn(open.get(keyOf(projectId)) ?? [], now),
        ...{ asked: count, silent, refused },
      };
    });
    return { session_id: sessionId, tenants: tenants.toSorted(byUrgency) };
  };

const openIn = (questions: readonly AwaitedQuestion[], now: Date) => {
  const left = questions.flatMap(({ replyAt }) => secondsUntil(replyAt, now) ?? []);
  return {
    open_questions: questions.length,
    hosts: [...new Set(questions.flatMap(({ hostname }) => hostname ?? []))].toSorted(),
    seconds_left: left.length === 0 ? null : Math.min(...left),
  };
};

const byUrgency = (one: Tenant, other: Tenant): number =>
  Number(other.open_questions > 0) - Number(one.open_questions > 0) ||
  (one.seconds_left ?? Infinity) - (other.seconds_left ?? Infinity) ||
  other.silent - one.silent;
