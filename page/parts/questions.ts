/** Questions by the project that is asked; the one with the least time left is first. */
import type { Question } from '../client/types';

export interface QuestionsOfProject {
  readonly projectId: string;
  readonly projectName: string | null;
  readonly questions: readonly Question[];
}

export const groupedByProject = (questions: readonly Question[]): QuestionsOfProject[] =>
  [...Map.groupBy(questions, ({ project_id: id }) => id)].map(([projectId, those]) => ({
    projectId,
    projectName: those[0]?.project_name ?? null,
    questions: those,
  }));
