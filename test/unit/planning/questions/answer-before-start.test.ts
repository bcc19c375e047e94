import { actionByNewestAnswer, type GrantedAction } from '../../../../planning/questions/answer-before-start';
import type { Question } from '../../../../planning/questions/question';
import { anAnsweredQuestion, anAskedQuestion, aSilentQuestion } from '../../../builders/a-question';

const granted = (fields: Partial<GrantedAction> = {}): GrantedAction => ({
  action: 'MIGRATE',
  instance: { id: 'instance-1', migrationType: 'MIGRATE', leadTimeSeconds: 60 },
  isAsked: true,
  isOutdated: false,
  ...fields,
});
const live: Partial<Question> = { instanceActions: { 'instance-1': 'LIVE_MIGRATE' } };
const hostWide = { isAsked: false };

it.each([
  { situation: 'no answer', fields: {}, question: undefined, action: 'MIGRATE' },
  { situation: 'silence', fields: {}, question: aSilentQuestion(), action: 'MIGRATE' },
  { situation: 'the answer that was there', fields: {}, question: anAnsweredQuestion('ACK'), action: 'MIGRATE' },
  { situation: 'another action', fields: {}, question: anAnsweredQuestion('ACK', live), action: 'LIVE_MIGRATE' },
  { situation: 'a refusal', fields: {}, question: anAnsweredQuestion('NACK'), action: 'refused' },
  {
    situation: 'the default action in place of its own choice',
    fields: { action: 'OWN_ACTION' as const },
    question: anAnsweredQuestion('ACK'),
    action: 'MIGRATE',
  },
  { situation: 'a refusal of the host', fields: hostWide, question: anAnsweredQuestion('NACK'), action: 'refused' },
  {
    situation: 'another action, asked about the host',
    fields: hostWide,
    question: anAnsweredQuestion('ACK', live),
    action: 'LIVE_MIGRATE',
  },
  {
    situation: 'silence about the host, whatever was granted then',
    fields: { ...hostWide, action: 'LIVE_MIGRATE' as const },
    question: aSilentQuestion(),
    action: 'LIVE_MIGRATE',
  },
  {
    situation: 'a question about the host that is still open',
    fields: hostWide,
    question: anAskedQuestion(),
    action: 'MIGRATE',
  },
  {
    situation: 'a refusal of what is not asked about any more',
    fields: { ...hostWide, instance: { id: 'instance-1', leadTimeSeconds: 0 } },
    question: anAnsweredQuestion('NACK'),
    action: 'MIGRATE',
  },
])('after $situation the action is $action', ({ fields, question, action }) => {
  expect(actionByNewestAnswer(granted(fields), question)).toBe(action);
});
