import { standingOfQuestions } from '../../../../rules/questions/instance-question';
import type { Question } from '../../../../rules/questions/question';
import { aQuestion } from '../../../builders/a-question';

const noonMs = Date.UTC(2026, 0, 1, 12);
const second = 1_000;
const limits = { nackRetries: 1, nackRetrySeconds: 10 };

const asked: Partial<Question> = { status: 'open', askedAtMs: noonMs - 5 * second, replyAtMs: noonMs + 5 * second };
const refused = (secondsAgo: number): Partial<Question> => ({
  ...asked,
  status: 'answered',
  answer: 'NACK',
  answeredAtMs: noonMs - secondsAgo * second,
});
const over: Partial<Question> = { ...asked, replyAtMs: noonMs };

describe('how the question about an instance stands', () => {
  it.each<{ situation: string; questions: Partial<Question>[]; expected: object }>([
    { situation: 'nothing was asked', questions: [], expected: { kind: 'ask' } },
    {
      situation: 'its event is not on the bus',
      questions: [{ status: 'open' }],
      expected: { kind: 'open' },
    },
    {
      situation: 'its window waits for the webhook of its project',
      questions: [{ status: 'open', replyAtMs: noonMs - second, opensByMs: noonMs + 9 * second }],
      expected: { kind: 'open', untilMs: noonMs + 9 * second },
    },
    { situation: 'there is time left', questions: [asked], expected: { kind: 'open', untilMs: noonMs + 5 * second } },
    { situation: 'its time is over', questions: [over], expected: { kind: 'settled', question: { status: 'open' } } },
    {
      situation: 'its time is over, but nobody could know of it',
      questions: [{ status: 'open', replyAtMs: noonMs - second }],
      expected: { kind: 'open' },
    },
    {
      situation: 'it was answered',
      questions: [{ ...asked, status: 'answered', answer: 'ACK' }],
      expected: { kind: 'settled', question: { status: 'answered' } },
    },
    {
      situation: 'it was closed in silence',
      questions: [{ ...over, status: 'closed', closedAtMs: noonMs + second }],
      expected: { kind: 'settled', question: { status: 'closed' } },
    },
    {
      situation: 'it was withdrawn before its time',
      questions: [{ ...asked, status: 'closed', closedAtMs: noonMs - second }],
      expected: { kind: 'ask' },
    },
    {
      situation: 'it was refused a moment ago',
      questions: [refused(4)],
      expected: { kind: 'pausing', untilMs: noonMs + 6 * second },
    },
    { situation: 'the pause after a refusal is over', questions: [refused(10)], expected: { kind: 'ask' } },
    {
      situation: 'it was refused and is asked again',
      questions: [refused(20), asked],
      expected: { kind: 'open', untilMs: noonMs + 5 * second },
    },
    {
      situation: 'it was refused too often',
      questions: [refused(30), refused(1)],
      expected: { kind: 'refused' },
    },
  ])('is $expected.kind when $situation', ({ questions, expected }) => {
    const all = questions.map((question, index) => aQuestion({ createdAtMs: noonMs - 60_000 + index, ...question }));
    expect(standingOfQuestions(all, noonMs, limits)).toMatchObject(expected);
  });
});

it('asks again after a pause for the last refusal', () => {
  const questions = [refused(30), refused(20)].map((given) => aQuestion(given));
  expect(standingOfQuestions(questions, noonMs, limits)).toEqual({ kind: 'refused' });
  const afterPause = { ...limits, refusalsAfterMs: noonMs - 20 * second };
  expect(standingOfQuestions(questions, noonMs, afterPause)).toEqual({ kind: 'ask' });
});

it.each<{ latestMs: number | undefined; isPutOff: boolean }>([
  { latestMs: undefined, isPutOff: false },
  { latestMs: noonMs + 7_200 * second, isPutOff: true },
  // The usual pause alone ends no claim: its refusals would never be too many.
  { latestMs: noonMs - second, isPutOff: false },
  { latestMs: noonMs + 30 * second, isPutOff: false },
])('puts off until the latest time at most ($latestMs, $isPutOff), however long the usual pause is', (row) => {
  const question = aQuestion({ ...refused(1), ...(row.latestMs !== undefined && { notBeforeLatestMs: row.latestMs }) });
  const standing = standingOfQuestions([question], noonMs, { ...limits, nackRetrySeconds: 300 });
  expect(standing).toMatchObject({ kind: 'pausing', isPutOff: row.isPutOff });
});
