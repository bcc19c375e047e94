import type { Question } from '../../rules/questions/question';

/** A project-wide PLANNED_MAINTENANCE question about instance-1, just created. */
export const aQuestion = (fields: Partial<Question> = {}): Question => ({
  id: 'question-1',
  projectId: 'project-1',
  state: 'PLANNED_MAINTENANCE',
  instanceIds: ['instance-1'],
  allowedActions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
  status: 'open',
  createdAtMs: 0,
  instanceActions: {},
  ...fields,
});

/** The same, its event on the bus at 0 and its reply due at 20 s. */
export const anAskedQuestion = (fields: Partial<Question> = {}): Question =>
  aQuestion({ askedAtMs: 0, replyAtMs: 20_000, actionsAtMs: 20_000, ...fields });

export const anAnsweredQuestion = (answer: 'ACK' | 'NACK', fields: Partial<Question> = {}): Question =>
  anAskedQuestion({ status: 'answered', answer, answeredAtMs: 5_000, ...fields });

/** Its time passed without an answer. */
export const aSilentQuestion = (fields: Partial<Question> = {}): Question =>
  anAskedQuestion({ status: 'closed', closedAtMs: 20_000, ...fields });
