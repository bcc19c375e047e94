import { isOpenAt, isWindowOpen } from '../../../../rules/maintenance-windows/is-window-open';

const nowMs = Date.parse('2026-01-07T02:00:00Z');
const now = new Date(nowMs);

describe('a window is open from when it opens until before it closes', () => {
  it.each([
    { situation: 'before it opens', opensAtMs: nowMs + 1, open: false },
    { situation: 'when it opens', opensAtMs: nowMs, open: true },
    { situation: 'before it closes', opensAtMs: 0, closesAtMs: nowMs + 1, open: true },
    { situation: 'when it closes', opensAtMs: 0, closesAtMs: nowMs, open: false },
  ])('$situation: $open', ({ opensAtMs, closesAtMs, open }) => {
    expect(isOpenAt({ opensAtMs, closesAtMs }, nowMs)).toBe(open);
    const windowClosesAt = closesAtMs === undefined ? null : new Date(closesAtMs);
    expect(
      isWindowOpen({ windows: [], windowOpensAt: new Date(opensAtMs), windowClosesAt, windowProblem: null }, now),
    ).toBe(open);
  });
});

it.each([
  { situation: 'of a session without windows', windows: null, open: true },
  { situation: 'of a session of whose windows nobody can say when they open', windows: [], open: false },
  { situation: 'of a session without windows, before a freeze', windows: null, opens: -1, closes: 1, open: true },
  { situation: 'of a session without windows, in a freeze', windows: null, opens: -1, closes: 0, open: false },
  { situation: 'of a session without windows, until a freeze ends', windows: null, opens: 1, open: false },
  { situation: 'of a session without windows, after a freeze', windows: null, opens: 0, open: true },
  {
    situation: 'of a session without windows, of whose freezes nobody knows',
    windows: null,
    problem: 'P',
    open: false,
  },
])('the row $situation: $open', ({ windows, opens, closes, problem = null, open }) => {
  const at = (ms: number | undefined) => (ms === undefined ? null : new Date(nowMs + ms));
  const recorded = { windows, windowOpensAt: at(opens), windowClosesAt: at(closes), windowProblem: problem };
  expect(isWindowOpen(recorded, now)).toBe(open);
});
