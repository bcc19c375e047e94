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
    expect(isWindowOpen({ windows: [], windowOpensAt: new Date(opensAtMs), windowClosesAt }, now)).toBe(open);
  });
});

it.each([
  { situation: 'of a session without windows', windows: null, open: true },
  { situation: 'of a session of whose windows nobody can say when they open', windows: [], open: false },
])('the row $situation: $open', ({ windows, open }) => {
  expect(isWindowOpen({ windows, windowOpensAt: null, windowClosesAt: null }, now)).toBe(open);
});
