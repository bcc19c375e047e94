/** The calendar of what is coming, as two libraries read it that others wrote. */
import ICAL from 'ical.js';
import nodeIcal, { type VEvent } from 'node-ical';
import { calendarOf } from '../../../api/showing/calendar';
import type { WordOfProject } from '../../../prisma/coming/told-coming';

const at = (time: string): Date => new Date(`2026-04-15T${time}Z`);
const sessionId = '47479bca-7f0e-11ea-99c9-2c600c9893ee';
const key = 'c0070f3e000040008000000000000001';

const word = (fields: Partial<WordOfProject> = {}): WordOfProject => ({
  ...{ id: sessionId, sessionId, instanceId: 'C0070F3E-0000-4000-8000-000000000001', instanceKey: key },
  ...{ instanceName: 'web-1', status: 'scheduled', impact: 'LIVE_MIGRATE', sequence: 2, revision: 7n, reason: null },
  ...{ startsAt: at('22:00:00.250'), latestAt: at('22:30:00'), endsAt: at('22:05:00') },
  ...{ createdAt: at('11:00:00'), updatedAt: at('12:00:00') },
  ...fields,
});

/** node-ical gives a property with parameters as an object. */
const textOf = (value: string | { readonly val: string } | undefined): string | undefined =>
  typeof value === 'object' ? value.val : value;

/** An entry as ical.js and node-ical read it. */
const readTwice = (words: readonly WordOfProject[]) => {
  const text = calendarOf(words, 'a0000001000040008000000000000001');
  const component = new ICAL.Component(ICAL.parse(text) as unknown[] as never);
  const byIcalJs = component.getAllSubcomponents('vevent').map((each) => {
    const event = new ICAL.Event(each);
    return {
      ...{ uid: event.uid, sequence: event.sequence, summary: event.summary, description: event.description },
      ...{ start: event.startDate.toJSDate().toISOString(), end: event.endDate.toJSDate().toISOString() },
      status: String(each.getFirstPropertyValue('status')),
    };
  });
  const byNodeIcal = Object.values(nodeIcal.sync.parseICS(text))
    .filter((each): each is VEvent => each?.type === 'VEVENT')
    .map(({ uid, sequence, summary, description, start, end, status }) => ({
      ...{ uid, sequence: Number(sequence), summary: textOf(summary), description: textOf(description) },
      ...{ start: start.toISOString(), end: end?.toISOString(), status: String(status) },
    }));
  return { text, byIcalJs, byNodeIcal };
};

it('says of an entry the same to both libraries', () => {
  const { text, byIcalJs, byNodeIcal } = readTwice([word({ reason: 'a new kernel' })]);
  expect(byIcalJs).toEqual([
    {
      uid: `${sessionId}.${key}@parley`,
      sequence: 2,
      summary: 'web-1: LIVE_MIGRATE',
      description: expect.stringContaining('Reason: a new kernel') as string,
      start: at('22:00:00').toISOString(),
      end: at('22:05:00').toISOString(),
      status: 'CONFIRMED',
    },
  ]);
  expect(byNodeIcal).toEqual(byIcalJs);
  expect(text).toContain('DTSTAMP:20260415T120000Z');
  expect(text).toContain('METHOD:PUBLISH');
});

it.each([
  { status: 'inquiring', expected: 'TENTATIVE' },
  { status: 'executing', expected: 'CONFIRMED' },
  { status: 'completed', expected: 'CONFIRMED' },
  { status: 'canceled', expected: 'CANCELLED' },
] as const)('shows $status as $expected', ({ status, expected }) => {
  const { byIcalJs, byNodeIcal } = readTwice([word({ status })]);
  expect([...byIcalJs, ...byNodeIcal].map((entry) => entry.status)).toEqual([expected, expected]);
});

it('keeps its form whatever people call instances, and whatever admins write', () => {
  const instanceName = 'wéb; 1, "x"\\n ☂'.repeat(12);
  const reason = 'x\nEND:VEVENT\nBEGIN:VEVENT';
  const { text, byIcalJs, byNodeIcal } = readTwice([word({ instanceName, reason, impact: null }), word()]);
  expect(byIcalJs.map(({ summary }) => summary)).toEqual([instanceName, 'web-1: LIVE_MIGRATE']);
  expect(byIcalJs[0]!.description).toContain(reason);
  expect(byNodeIcal).toHaveLength(1);
  expect(byNodeIcal[0]!.uid).toBe(byIcalJs[0]!.uid);
  const lines = text.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
});

it('ends an entry later than it starts, also where nobody knows how long it takes', () => {
  const { byIcalJs } = readTwice([word({ endsAt: at('22:00:00.250') })]);
  expect(byIcalJs[0]!.end).toBe(at('22:01:00').toISOString());
});

it('is a calendar without entries where nothing is coming', () => {
  expect(readTwice([])).toMatchObject({ byIcalJs: [], byNodeIcal: [] });
});
