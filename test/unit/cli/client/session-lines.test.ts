import { examples } from '../../../../api/openapi/examples';
import type { SessionSummaryBody } from '../../../../api/schemas/summary-schemas';
import { paintFor } from '../../../../cli/client/render/paint';
import { sessionColumns, sessionLines } from '../../../../cli/client/render/session';
import { type Column, shorten, tableOf, wrap, wrapped } from '../../../../cli/client/render/table';
import { bar } from '../../../../cli/client/render/terminal-text';
import { duration } from '../../../../rules/words/times';

const summary = examples.SessionSummary as unknown as SessionSummaryBody;
const at = (columns: number) => ({ columns, paint: paintFor(false) });

describe('a session as text', () => {
  const text = sessionLines(summary, at(100)).join('\n');

  it.each([
    ['what happens now', /compute-2 +draining +10s +1 /],
    ['how far it is and when it ends', /\[#{10}-{10}\] 50 %.*ends in 10m24s \(5m46s to 15m46s\)/],
    [
      'what is stuck, on whom, and how long still',
      /the answer of project vepc +1 host, 1 instance +the tenant vepc +18s/,
    ],
    ['what is in the way, and what would help', /delays: host compute-1: .*\n +up to the cloud team: repair it/],
    ['what one can do', /parley pause 47479bca +nothing new begins/],
  ])('says %s', (_, line) => expect(text).toMatch(line));

  it('promises no end, and nothing that ends by itself, while the service is not ready', () => {
    const turn = { ...summary.waiting[0]!, owner: 'service' as const };
    const lines = sessionLines({ ...summary, waiting: [turn] }, at(120), false).join('\n');
    expect(lines).toContain('no end while the service is not ready');
    expect(lines).toContain('whoever makes the service ready again');
  });

  it.each([
    ['closed', 'waits for its window'],
    ['aborted', 'aborted'],
  ] as const)('says of a session that is %s: %s', (progress, words) => {
    expect(sessionLines({ ...summary, progress }, at(100)).join('\n')).toContain(`Progress  ${words}, `);
  });

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

  it.each([
    { text: 'one two three', lines: ['one two', '  three'] },
    { text: '  a two three', lines: ['  a two', '  three'] },
    { text: '\u001b[1mone two\u001b[22m', lines: ['\u001b[1mone two\u001b[22m'] },
    { text: 'compute-17.example.org is up', lines: ['compute-17.example.org', '  is up'] },
  ])('breaks $text between words', ({ text, lines }) => expect(wrap(text, 8, 2)).toEqual(lines));

  it.each([
    { width: 10, short: 'compute-17' },
    { width: 9, short: 'comp…e-17' },
    { width: 6, short: 'com…17' },
  ])('shortens in the middle to $short', ({ width, short }) => expect(shorten('compute-17', width)).toBe(short));
});

describe('a line of any command', () => {
  it.each([
    { line: '  what would help: nothing', lines: ['  what would', '    help:', '    nothing'] },
    { line: 'compute-17  emptying  4s', lines: ['compute-17  emptying  4s'] },
  ])('$line is broken, unless it is a row', ({ line, lines }) => expect(wrapped(line, 13)).toEqual(lines));
});

describe('a table', () => {
  type Row = readonly [string, string, string];
  const host = 'compute-17.rack-3.example.org';
  const rows: Row[] = [
    [host, 'the answer of project a000ba7c to its question', '5b1f0d0e-7f10-11ea-9a7a-2c600c9893ee'],
  ];
  const columns: Column<Row>[] = [
    { title: 'HOST', cell: ([name]) => name },
    { title: 'VMS', cell: () => '9', mayGo: true },
    { title: 'WAITS-FOR', cell: ([, words]) => words, breaks: 'at words' },
    { title: 'ID', cell: ([, , id]) => id, breaks: 'in the middle' },
  ];

  it.each([
    {
      width: 100,
      lines: [
        'HOST                           VMS  WAITS-FOR                       ID',
        `${host}  9    the answer of project a000ba7c  5b1f0d0e-7f10-1…7a-2c600c9893ee`,
        '                                    to its question',
      ],
    },
    {
      width: 84,
      lines: [
        'HOST                           VMS  WAITS-FOR              ID',
        `${host}  9    the answer of project  5b1f0d0e-7f1…c600c9893ee`,
        '                                    a000ba7c to its',
        '                                    question',
      ],
    },
    {
      width: Infinity,
      lines: [
        'HOST                           VMS  WAITS-FOR                                       ID',
        `${host}  9    ${rows[0]?.[1] ?? ''}  ${rows[0]?.[2] ?? ''}`,
      ],
    },
  ])('keeps the names of hosts, and fits $width columns', ({ width, lines }) =>
    expect(tableOf(columns, rows, { columns: width })).toEqual(lines),
  );

  it('tells when a session that is over began and ended, and what it did', () => {
    const over = {
      ...summary,
      progress: 'done' as const,
      begun_at: '2026-03-01T10:00:00.000Z',
      ended_at: '2026-03-01T10:20:00.000Z',
      moved_count: 3,
    };
    const text = sessionLines(over, at(100)).join('\n');
    expect(text).toMatch(/Began {5}.*10:00/);
    expect(text).toMatch(/Ended {5}.*10:20.*, after 20m$/m);
    expect(text).toMatch(/Did {7}maintained .* moved 3 instances/);
  });

  it.each([
    { isAtWork: true, shown: '10m24s' },
    { isAtWork: false, shown: '-' },
  ])('lists no end while the service is not ready (ready: $isAtWork)', ({ isAtWork, shown }) => {
    const endsIn = sessionColumns(0, isAtWork).find(({ title }) => title === 'ENDS-IN');
    expect(endsIn?.cell(summary)).toBe(shown);
  });
});
