/** When a project takes longer with its answer than it is expected to. */
import { expectedTimes, nothingSeen } from '../../../../rules/expectations/expected-times';
import { isLate } from '../../../../rules/questions/late-answer';

const expected = expectedTimes(nothingSeen, { maintenanceSeconds: 0, moveSeconds: 0, answerSeconds: 10 });

it.each([
  { what: 'within the expected time', askedAtMs: 0, nowMs: 10_000, late: false },
  { what: 'after it', askedAtMs: 0, nowMs: 10_001, late: true },
  { what: 'before the question is on the bus', askedAtMs: undefined, nowMs: 20_000, late: false },
])('$what it is late: $late', ({ askedAtMs, nowMs, late }) => {
  const question = { projectId: 'p', replyAtMs: 60_000, ...(askedAtMs !== undefined && { askedAtMs }) };
  expect(isLate(question, expected, nowMs)).toBe(late);
});
