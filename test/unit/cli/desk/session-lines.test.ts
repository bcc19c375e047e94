import { examples } from '../../../../api/openapi/examples';
import type { SessionSummaryBody } from '../../../../api/schemas/summary-schemas';
import { paintFor } from '../../../../cli/desk/render/paint';
import { sessionLines } from '../../../../cli/desk/render/session';
import { clip, tableOf, wrap } from '../../../../cli/desk/render/table';
import { bar } from '../../../../cli/desk/render/terminal-text';
import { duration } from '../../../../rules/words/times';

const summary = examples.SessionSummary as unknown as SessionSummaryBody;
const at = (columns: number) => ({ columns, paint: paintFor(false) });

describe('a session as text', () => {
  const text = sessionLines(summary, at(100)).join('\n');

  it.each([
    ['what happens now', /compute-2 +emptying +10s +1 /],
    ['how far it is and when it ends', /\[#{10}-{10}\] 50 %.*ends in 10m24s \(5m46s to 15m46s\)/],
    ['what is stuck, on whom, and how long still', /the answer of project vepc +1 host, 1 instance +project +18s/],
    ['what is in the way, and what would help', /note: host compute-1: .*\n +operator: repair it/],
    ['what one can do', /parley pause 47479bca +nothing new begins/],
  ])('says %s', (_, line) => expect(text).toMatch(line));

  it.each([60, 72, 80, 132])('fits into %i columns', (columns) => {
    const lines = sessionLines(summary, at(columns));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('says that there is no end while it is paused', () => {
    const paused = { ...summary, progress: 'paused', ends_at: null, seconds_left: null, end_from: null } as const;
    expect(sessionLines(paused, at(100)).join('\n')).toContain('no end while it is paused');
  });

  it.each([
    { situation: 'is known from the plan', changes: {}, says: '50 %  ends in 10m24s' },
    { situation: 'is rough', changes: { end_from: 'records' }, says: '50 %  ends roughly in 10m24s' },
    {
      situation: 'is none by the plan',
      changes: { ends_at: null, seconds_left: null },
      says: 'it would not come to its end: parley plan says why',
    },
  ] as const)('says where the end $situation', ({ changes, says }) => {
    expect(sessionLines({ ...summary, ...changes }, at(100)).join('\n')).toContain(says);
  });

  it('lets no control character of a name reach the terminal', () => {
    const [first] = summary.blockers;
    const evil = { ...summary, blockers: [{ ...first!, because: 'a\u001b[2Jb' }] };
    expect(sessionLines(evil, at(100)).join('')).not.toContain('\u001b');
  });

  it('has colours only where they are wanted', () => {
    expect(sessionLines(summary, { columns: 100, paint: paintFor(true) }).join('')).toContain('\u001b[1m');
  });
});

describe('words', () => {
  it.each([
    [0, '0s'],
    [59.6, '1m'],
    [624, '10m24s'],
    [3_600, '1h'],
    [10_861, '3h1m'],
    [100_800, '1d4h'],
    [-5, '0s'],
  ])('%d seconds are %s', (seconds, words) => expect(duration(seconds)).toBe(words));

  it('draws a bar', () => expect([bar(0, 4), bar(50, 4), bar(100, 4)]).toEqual(['[----]', '[##--]', '[####]']));

  it('breaks lines between words', () => expect(wrap('one two three', 8, 2)).toEqual(['one two', '  three']));

  it('cuts what does not fit', () => expect(clip('compute-17', 5)).toBe('comp…'));

  it('leaves columns out where the terminal is narrow, and cuts nothing in a pipe', () => {
    const columns = [
      { title: 'NAME', cell: (row: string) => row, gives: true as const },
      { title: 'MORE', cell: () => 'x', from: 70 },
    ];
    const long = 'a-very-long-name-of-a-host';
    expect(tableOf(columns, [long], { columns: 12 })[1]).toBe('a-very-long…');
    expect(tableOf(columns, [long], { columns: Infinity })[1]).toBe(`${long}  x`);
  });
});
