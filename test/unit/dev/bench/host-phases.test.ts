import { hostPhasesOf } from '../../../../dev/bench/host-phases';
import type { SessionCourse } from '../../../../prisma/session/session-trace';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

const course: SessionCourse = {
  workflow: 'vnf',
  rolling: null,
  hosts: [
    { hostname: 'full', drainStartedAt: at(0) },
    { hostname: 'empty', drainStartedAt: at(1) },
    { hostname: 'never-opened', drainStartedAt: null },
  ],
  moves: [
    {
      instanceId: 'a',
      source: 'full',
      target: 'empty',
      action: 'MIGRATE',
      startedAt: at(1),
      endedAt: at(4),
      outcome: 'done',
    },
    {
      instanceId: 'b',
      source: 'full',
      target: 'empty',
      action: 'MIGRATE',
      startedAt: at(1),
      endedAt: at(3),
      outcome: 'done',
    },
  ],
  questions: [],
  notices: [
    { host: 'empty', state: 'IN_MAINTENANCE', at: at(2) },
    { state: 'IN_MAINTENANCE', at: at(2) },
    { host: 'full', state: 'IN_MAINTENANCE', at: at(6) },
    { host: 'empty', state: 'MAINTENANCE_COMPLETE', at: at(9) },
    { host: 'full', state: 'MAINTENANCE_COMPLETE', at: at(16) },
  ],
};

describe('the phases of a host', () => {
  it('end with the last move from it, the begin and the end of its maintenance', () => {
    expect(hostPhasesOf(course)).toEqual([
      { emptyingMs: 4_000, noticingMs: 2_000, maintainingMs: 10_000 },
      { emptyingMs: 0, noticingMs: 1_000, maintainingMs: 7_000 },
    ]);
  });
});
