import type { Question } from '../../../../rules/questions/question';
import { settledActionOf } from '../../../../rules/questions/settled-action';
import { anAnsweredQuestion, anAskedQuestion, aSilentQuestion } from '../../../builders/a-question';

const instance = { id: 'instance-1', defaultAction: 'LIVE_MIGRATE' } as const;
const chosen = anAnsweredQuestion('ACK', { instanceActions: { 'instance-1': 'OWN_ACTION' } });

it.each<{ situation: string; questions: readonly Question[]; hasExpired?: boolean; expected: string | undefined }>([
  { situation: 'nothing was asked', questions: [], expected: undefined },
  { situation: 'the question is open', questions: [anAskedQuestion()], expected: undefined },
  { situation: 'its project refused', questions: [anAnsweredQuestion('NACK')], expected: undefined },
  { situation: 'its project chose its own action', questions: [chosen], expected: 'OWN_ACTION' },
  { situation: 'its project chose none', questions: [anAnsweredQuestion('ACK')], expected: 'LIVE_MIGRATE' },
  { situation: 'its project was silent', questions: [aSilentQuestion()], expected: 'LIVE_MIGRATE' },
  {
    situation: 'its project did not carry out what it chose',
    ...{ questions: [chosen], hasExpired: true, expected: 'LIVE_MIGRATE' },
  },
])('is $expected where $situation', ({ questions, hasExpired = false, expected }) => {
  expect(settledActionOf(instance, questions, hasExpired)).toBe(expected);
});
