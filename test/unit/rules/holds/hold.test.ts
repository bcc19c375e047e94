import {
  decideRelease,
  endsAtMs,
  type HostHold,
  judgeHold,
  stepOfHold,
  untilDueMs,
} from '../../../../rules/holds/hold';

const since = 1_000_000;
const aHold = (fields: Partial<HostHold> = {}): HostHold => ({
  ...{ position: 0, task: 'swap the disk', sinceMs: since, toldAtMs: since },
  ...fields,
});
const done = { outcome: 'done', note: '' } as const;
const failed = { outcome: 'failed', note: 'no spare part' } as const;

it.each([
  { metadata: {}, terms: { task: '' } },
  {
    metadata: { task: 'swap', remind_seconds: 60, fail_seconds: 3600 },
    terms: { task: 'swap', remindSeconds: 60, failSeconds: 3600 },
  },
])('reads $metadata', ({ metadata, terms }) => {
  expect(judgeHold(metadata)).toEqual({ terms });
});

it.each([
  { metadata: { task: 7 }, fault: /task must be a text/ },
  { metadata: { task: 'x'.repeat(501) }, fault: /at most 500/ },
  { metadata: { remind_seconds: 0 }, fault: /remind_seconds must be a number of seconds/ },
  { metadata: { fail_seconds: '1h' }, fault: /fail_seconds must be/ },
  { metadata: { fail_seconds: 1e12 }, fault: /to 31536000/ },
  { metadata: { seconds: 3 }, fault: /seconds is not known/ },
])('refuses $metadata', ({ metadata, fault }) => {
  expect(judgeHold(metadata)).toEqual({ fault: expect.stringMatching(fault) as unknown });
});

it.each([
  { situation: 'nobody has released it', hold: aHold(), afterMs: 1e12, step: { kind: 'wait' } },
  {
    situation: 'the work is done',
    hold: aHold({ release: done }),
    afterMs: 1,
    step: { kind: 'done', state: 'released' },
  },
  {
    situation: 'the work has failed',
    hold: aHold({ release: failed }),
    afterMs: 1,
    step: { kind: 'failed', because: 'a person said so at the release: no spare part' },
  },
  { situation: 'its time is not over', hold: aHold({ failSeconds: 60 }), afterMs: 59_999, step: { kind: 'wait' } },
  {
    situation: 'its time is over',
    hold: aHold({ failSeconds: 60 }),
    afterMs: 60_000,
    step: { kind: 'failed', because: 'nobody released the host within 60 s' },
  },
  {
    situation: 'it was released after its time, before anybody acted on that',
    hold: aHold({ failSeconds: 60, release: done }),
    afterMs: 70_000,
    step: { kind: 'done', state: 'released' },
  },
  { situation: 'a reminder is due', hold: aHold({ remindSeconds: 10 }), afterMs: 10_000, step: { kind: 'remind' } },
  {
    situation: 'people were just reminded',
    hold: aHold({ remindSeconds: 10, toldAtMs: since + 10_000 }),
    afterMs: 19_999,
    step: { kind: 'wait' },
  },
])('where $situation: $step.kind', ({ hold, afterMs, step }) => {
  expect(stepOfHold(hold, since + afterMs)).toEqual(step);
});

it('is due at the reminder or at its end, whichever is first', () => {
  expect(untilDueMs(aHold({ remindSeconds: 10, failSeconds: 60 }), since + 4_000)).toBe(6_000);
  expect(untilDueMs(aHold({ remindSeconds: 100, failSeconds: 60 }), since)).toBe(60_000);
  expect(untilDueMs(aHold({ failSeconds: 60 }), since + 90_000)).toBe(5_000);
  expect(endsAtMs(aHold())).toBe(Infinity);
});

it.each([
  { situation: 'a host that is held', hold: aHold(), kind: 'change' },
  { situation: 'one that is released', hold: aHold({ release: failed }), kind: 'already' },
  { situation: 'one that nobody works on', hold: null, kind: 'notHeld' },
])('a release of $situation: $kind', ({ hold, kind }) => {
  expect(decideRelease(hold, done).kind).toBe(kind);
});
