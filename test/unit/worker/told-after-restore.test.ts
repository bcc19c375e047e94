/** The report for an operator after a restore. */
import type { HeldSessions } from '../../../activities/upkeep/hold-sessions';
import { movesElsewhere } from '../../../rules/cloud/departure';
import { toldAfterHolding } from '../../../worker/restored/told';

const held: HeldSessions = { endedWorkflows: 2, sessionIds: ['session-1'], strangeHosts: [], strangeMoves: [] };
const size = { amounts: { VCPU: 1, MEMORY_MB: 1 } };
const host = { name: 'compute-1', type: 'compute', isCompute: true, enabled: false, isUp: true, ...size } as const;
const names = { instanceId: 'id', instanceName: 'web-1', projectId: 'project', host: 'compute-2', flavor: 'small' };

it('workers may be started where every move is on record', () => {
  const { lines, mayStart } = toldAfterHolding(held);
  expect(mayStart).toBe(true);
  expect(lines.at(-1)).toContain('workers and APIs may be started');
});

it('names what a person has to see to, and lets no worker start while a move is not on record', () => {
  const strangeHosts = [{ ...host, disabledReason: 'maintenance session x' }];
  const strangeMoves = [{ ...names, ...size, state: 'MIGRATING', departure: movesElsewhere }];
  const { lines, mayStart } = toldAfterHolding({ ...held, strangeHosts, strangeMoves });
  expect(mayStart).toBe(false);
  expect(lines.join('\n')).toMatch(/host compute-1 is disabled for a session that is not on record/);
  expect(lines.join('\n')).toMatch(/instance web-1 \(id\) on host compute-2 is MIGRATING/);
});
