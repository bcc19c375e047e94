/** When a move is expected to start, by the range of its plan's end. */
import { type Foretold, foretoldBy, startOf } from '../../../../rules/coming/foretold';
import type { PlannedMove } from '../../../../rules/simulation/plan/plan';

/** Begins at 1,000 and is expected to last 1,000, at least half of that and at most twice. */
const foretold: Foretold = {
  seenAtMs: 400,
  beginsAtMs: 1_000,
  endsAtMs: { earliest: 1_500, expected: 2_000, latest: 3_000 },
  moves: [],
};

it.each([
  { what: 'at the begin of the work is certain', fromMs: 1_000, expected: [1_000, 1_000, 1_000] },
  { what: 'in the middle is stretched like the whole', fromMs: 1_500, expected: [1_250, 1_500, 2_000] },
  { what: 'at the end has the range of the end', fromMs: 2_000, expected: [1_500, 2_000, 3_000] },
  { what: 'that is under way is not stretched', fromMs: 700, expected: [700, 700, 700] },
  { what: 'that its owner puts off begins then', fromMs: 1_500, notBeforeMs: 1_600, expected: [1_600, 1_600, 2_000] },
])('a start $what', ({ fromMs, notBeforeMs = 0, expected: [earliest, expected, latest] }) => {
  expect(startOf(foretold, fromMs, notBeforeMs)).toEqual({ earliest, expected, latest });
});

it('knows one time alone where the session would not come to its end', () => {
  const stopping: Foretold = { seenAtMs: 400, beginsAtMs: 1_000, moves: [] };
  expect(startOf(stopping, 1_500, 0)).toEqual({ earliest: 1_500, expected: 1_500, latest: 1_500 });
});

it('stretches nothing in a session that has no work left', () => {
  const over = { ...foretold, seenAtMs: 2_000, endsAtMs: { earliest: 2_000, expected: 2_000, latest: 2_000 } };
  expect(startOf(over, 2_000, 0)).toEqual({ earliest: 2_000, expected: 2_000, latest: 2_000 });
});

it('keeps of a move neither its host nor its target, and sorts moves by their starts', () => {
  const move = (instanceId: string, fromMs: number): PlannedMove => ({
    ...{ instanceId, instanceName: instanceId, projectId: 'p', action: 'MIGRATE' },
    ...{ source: 'compute-1', target: 'compute-2', span: { fromMs, toMs: fromMs + 1 } },
  });
  expect(foretoldBy({ beginsAtMs: 1, moves: [move('late', 9), move('early', 3)] }, 0)).toEqual({
    ...{ seenAtMs: 0, beginsAtMs: 1 },
    moves: [
      { instanceId: 'early', instanceName: 'early', projectId: 'p', action: 'MIGRATE', fromMs: 3, toMs: 4 },
      { instanceId: 'late', instanceName: 'late', projectId: 'p', action: 'MIGRATE', fromMs: 9, toMs: 10 },
    ],
  });
});
