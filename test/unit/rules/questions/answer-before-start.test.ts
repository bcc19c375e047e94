import {
  actionByHostAnswer,
  actionByOwnAnswer,
  actionByUnusedAnswer,
  type GrantedAction,
  restsOnUnusedAnswer,
} from '../../../../rules/questions/answer-before-start';
import type { Question } from '../../../../rules/questions/question';
import { anAnsweredQuestion, anAskedQuestion, aSilentQuestion } from '../../../builders/a-question';

const instance = { id: 'instance-1', host: 'host-1', defaultAction: 'MIGRATE', leadTimeSeconds: 60 } as const;
const granted = (fields: Partial<GrantedAction> = {}): GrantedAction => ({
  action: 'MIGRATE',
  instance,
  isOutdated: false,
  ...fields,
});
const live: Partial<Question> = { instanceActions: { 'instance-1': 'LIVE_MIGRATE' } };
const neverAsked = { instance: { ...instance, leadTimeSeconds: 0 } };

describe('an action that a question of its own allowed', () => {
  it.each([
    { situation: 'no answer', fields: {}, question: undefined, action: 'MIGRATE' },
    { situation: 'silence', fields: {}, question: aSilentQuestion(), action: 'MIGRATE' },
    { situation: 'the answer that was there', fields: {}, question: anAnsweredQuestion('ACK'), action: 'MIGRATE' },
    { situation: 'another action', fields: {}, question: anAnsweredQuestion('ACK', live), action: 'LIVE_MIGRATE' },
    { situation: 'a refusal', fields: {}, question: anAnsweredQuestion('NACK'), action: 'refused' },
    {
      situation: 'a refusal and lead_time 0 since',
      fields: neverAsked,
      question: anAnsweredQuestion('NACK'),
      action: 'refused',
    },
    {
      situation: 'the default action in place of its own choice',
      fields: { action: 'OWN_ACTION' as const },
      question: anAnsweredQuestion('ACK'),
      action: 'MIGRATE',
    },
    {
      situation: 'silence, on constraints that have changed',
      fields: { action: 'LIVE_MIGRATE' as const, isOutdated: true },
      question: aSilentQuestion(),
      action: 'MIGRATE',
    },
  ])('after $situation begins as $action', ({ fields, question, action }) => {
    expect(actionByOwnAnswer(granted(fields), question)).toBe(action);
  });
});

describe('an action that an answer under an earlier claim allowed', () => {
  it.each([
    { situation: 'no such answer', fields: {}, question: undefined, action: 'MIGRATE' },
    { situation: 'another action', fields: {}, question: anAnsweredQuestion('ACK', live), action: 'LIVE_MIGRATE' },
    { situation: 'a refusal', fields: {}, question: anAnsweredQuestion('NACK'), action: 'refused' },
  ])('after $situation begins as $action', ({ fields, question, action }) => {
    expect(actionByUnusedAnswer(granted(fields), question)).toBe(action);
  });

  it('is not looked for where nothing is asked about the instance', () => {
    expect(restsOnUnusedAnswer(granted())).toBe(true);
    expect(restsOnUnusedAnswer(granted(neverAsked))).toBe(false);
  });
});

describe('an action that an answer about its host allowed', () => {
  const about = (questions: readonly Question[], leadTimeSeconds = 60) => ({
    instance: { ...instance, leadTimeSeconds },
    questions,
    sinceMs: 0,
    expired: undefined,
  });
  const again = { id: 'question-2', createdAtMs: 9_000 };

  it.each([
    { situation: 'no question', asked: about([]), action: 'OWN_ACTION' },
    {
      situation: 'a question about other instances',
      asked: about([anAnsweredQuestion('NACK', { instanceIds: ['instance-2'] })]),
      action: 'OWN_ACTION',
    },
    { situation: 'silence', asked: about([aSilentQuestion()]), action: 'MIGRATE' },
    { situation: 'a refusal', asked: about([anAnsweredQuestion('NACK')]), action: 'refused' },
    { situation: 'another action', asked: about([anAnsweredQuestion('ACK', live)]), action: 'LIVE_MIGRATE' },
    {
      situation: 'a refusal that is asked about again',
      asked: about([anAnsweredQuestion('NACK'), anAskedQuestion(again)]),
      action: 'refused',
    },
    {
      situation: 'a refusal that was accepted the next time',
      asked: about([anAnsweredQuestion('NACK'), anAnsweredQuestion('ACK', { ...again, ...live })]),
      action: 'LIVE_MIGRATE',
    },
    {
      situation: 'a refusal of what is not asked about any more',
      asked: about([anAnsweredQuestion('NACK')], 0),
      action: 'MIGRATE',
    },
  ])('after $situation begins as $action', ({ asked, action }) => {
    expect(actionByHostAnswer({ action: 'OWN_ACTION' }, asked)).toBe(action);
  });
});
