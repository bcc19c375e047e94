/**
 * Tells a project when the sessions that it has a part in are expected to end, with the terms that count now and with
 * others. Nothing is stored. No host is named, and no instance of another project.
 */
import type { Database } from '../../prisma/database';
import { findUnfinishedSessions } from '../../prisma/session/session-progress';
import { type Id, keyOf } from '../../rules/cloud/id';
import type { ProjectTerms } from '../../rules/cloud/terms';
import { withTermsOfProject } from '../../rules/terms/answer-by-terms';
import type { TermsPreviewBody } from '../schemas/terms-schemas';
import type { PlannedEnd } from '../summary/expected-end';
import { mayEnd } from '../summary/progress';
import type { Plans } from './plans';

interface PreviewDeps {
  readonly db: Database;
  readonly plans: Pick<Plans, 'endOf'>;
}

export type PreviewTerms = (projectId: Id, terms: ProjectTerms) => Promise<TermsPreviewBody>;

/** Sessions are planned one after another, because each plan asks the cloud for all of its instances. */
export const createTermsPreview =
  ({ db, plans }: PreviewDeps): PreviewTerms =>
  async ({ text, key }, terms) => {
    const sessions: TermsPreviewBody['sessions'] = [];
    for (const session of (await findUnfinishedSessions(db)).filter(mayEnd)) {
      const now = await plans.endOf(session.id);
      if (!now.instances.some(({ projectId }) => keyOf(projectId) === key)) continue;
      const { end } = await plans.endOf(session.id, (stored) => withTermsOfProject(stored, key, terms));
      const { id: session_id, reason } = session;
      sessions.push({ session_id, reason, ends_at: shown(now.end), ends_at_with_terms: shown(end) });
    }
    return { project_id: text, sessions };
  };

const shown = (end: PlannedEnd): TermsPreviewBody['sessions'][number]['ends_at'] =>
  end && {
    earliest: new Date(end.earliest).toISOString(),
    expected: new Date(end.expected).toISOString(),
    latest: new Date(end.latest).toISOString(),
  };
