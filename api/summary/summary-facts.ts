/** What one look at a session is told from. */
import type { WorkDone } from '../../prisma/session/session-look';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { NamedDetail } from '../showing/name-projects';
import type { ProgressFacts } from './progress';

export interface SummaryFacts extends Omit<ProgressFacts, 'hosts'> {
  readonly session: SessionProgress & { readonly createdAt: Date };
  /** Has only the instances on hosts under work. */
  readonly detail: NamedDetail;
  readonly done: WorkDone;
  readonly instances: readonly { readonly projectId: string; readonly count: number }[];
}
