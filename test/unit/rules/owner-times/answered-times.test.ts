import { keyOf } from '../../../../rules/cloud/id';
import { answeredTimes, type AnswerInTime } from '../../../../rules/owner-times/answered-times';
import { latestInAnswer } from '../../../../rules/owner-times/postpone';

const limits = { nackRetries: 2, nackRetrySeconds: 10 };
const both = ['a', 'b'];

const anAnswer = (fields: Partial<AnswerInTime> = {}): AnswerInTime => ({
  instanceIds: both,
  answer: 'ACK',
  answeredAtMs: 1_000,
  latestMs: 90_000,
  ...fields,
});

const all = (notBeforeMs: number) => ({ notBeforeMs, instanceNotBeforeMs: {} });

describe('the time of an instance', () => {
  it.each<{ is: string; answers: AnswerInTime[]; times: Readonly<Record<string, number>> }>([
    { is: 'none where no answer has one', answers: [anAnswer()], times: {} },
    { is: 'that for all', answers: [anAnswer({ times: all(50_000) })], times: { a: 50_000, b: 50_000 } },
    {
      is: 'its own before that for all',
      answers: [anAnswer({ times: { notBeforeMs: 50_000, instanceNotBeforeMs: { b: 20_000 } } })],
      times: { a: 50_000, b: 20_000 },
    },
    {
      is: 'its own where the others have none',
      answers: [anAnswer({ times: { instanceNotBeforeMs: { b: 20_000 } } })],
      times: { b: 20_000 },
    },
    {
      is: 'that of the newest answer about it, in whatever order the answers are read',
      answers: [
        anAnswer({ instanceIds: ['b'], times: all(70_000), answeredAtMs: 2_000 }),
        anAnswer({ times: all(50_000), answeredAtMs: 1_000 }),
      ],
      times: { a: 50_000, b: 70_000 },
    },
    {
      is: 'that of an earlier question where the answer to a later one has none',
      answers: [anAnswer({ times: all(50_000) }), anAnswer({ instanceIds: ['b'], answeredAtMs: 2_000 })],
      times: { a: 50_000, b: 50_000 },
    },
    {
      is: 'none where its project has accepted after a refusal',
      answers: [anAnswer({ answer: 'NACK' }), anAnswer({ instanceIds: ['b'], answeredAtMs: 2_000 })],
      times: { a: 45_500 },
    },
    {
      is: 'not later than the latest one, which the admin has moved since',
      answers: [anAnswer({ times: all(50_000), latestMs: 30_000 })],
      times: { a: 30_000, b: 30_000 },
    },
    {
      is: 'that of the next question where its project has refused',
      answers: [anAnswer({ answer: 'NACK', latestMs: 41_000 })],
      times: { a: 21_000, b: 21_000 },
    },
  ])('is $is', ({ answers, times }) => {
    const expected = Object.entries(times).map(([id, notBeforeMs]) => [keyOf(id), { notBeforeMs }]);
    expect([...answeredTimes(answers, limits)]).toEqual(expected);
  });
});

it.each([
  { postpone: { until: '1970-01-01T00:01:00.000Z' }, state: 'MAINTENANCE', latestMs: 60_000 },
  { postpone: { seconds: 30 }, state: 'MAINTENANCE', latestMs: 35_000 },
  { postpone: { seconds: 30 }, state: 'SCALE_IN', latestMs: undefined },
  { postpone: null, state: 'MAINTENANCE', latestMs: undefined },
])('the latest time of $postpone in $state, first asked after 5 s, is $latestMs ms', (given) => {
  expect(latestInAnswer(given.postpone, given.state, new Date(5_000))?.getTime()).toBe(given.latestMs);
});
