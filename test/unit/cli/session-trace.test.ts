import { traceOf } from '../../../cli/trace/session-trace';
import type { CourseMove, SessionCourse } from '../../../prisma/session/session-trace';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 12) + seconds * 1000);

const course: SessionCourse = {
  workflow: 'vnf',
  rolling: null,
  moves: [
    {
      instanceId: 'i',
      source: 'a',
      target: 'b',
      action: 'LIVE_MIGRATE',
      startedAt: at(15),
      endedAt: at(20.5),
      outcome: 'done',
    },
  ],
  questions: [
    { instanceIds: ['i'], askedAt: at(11), answer: 'NACK', answeredAt: at(12) },
    // answered before it was stamped and sent
    { instanceIds: ['i'], askedAt: at(14), answer: 'ACK', answeredAt: at(13.9) },
  ],
  hosts: [
    { hostname: 'a', drainStartedAt: at(10.5) },
    { hostname: 'b', drainStartedAt: null },
  ],
  notices: [
    { state: 'MAINTENANCE', at: at(0) },
    { state: 'PREPARE_MAINTENANCE', at: at(10) },
    { host: 'a', state: 'IN_MAINTENANCE', at: at(21) },
    { host: 'a', state: 'MAINTENANCE_COMPLETE', at: at(30) },
    { state: 'MAINTENANCE_COMPLETE', at: at(31) },
  ],
};

describe('the trace of a session', () => {
  it('tells in order what happened, in seconds from the beginning of the work', () => {
    expect(traceOf(course)).toEqual([
      { t: 0.5, event: 'disable', host: 'a' },
      { t: 1, event: 'notify', instance: 'i' },
      { t: 3.9, event: 'notify', instance: 'i' },
      { t: 3.9, event: 'reply', instance: 'i' },
      { t: 5, event: 'move_start', instance: 'i', from: 'a', to: 'b', action: 'LIVE_MIGRATE' },
      { t: 10.5, event: 'move_end', instance: 'i' },
      { t: 11, event: 'maintenance_start', host: 'a' },
      { t: 20, event: 'maintenance_end', host: 'a' },
      { t: 20, event: 'enable', host: 'a' },
      { t: 21, event: 'done' },
    ]);
  });

  it('is done once, when its hosts are, also where it failed after that and was resumed', () => {
    const again = { state: 'MAINTENANCE_COMPLETE', at: at(90) };
    const events = traceOf({ ...course, notices: [...course.notices, again] });
    expect(events.filter(({ event }) => event === 'done')).toEqual([{ t: 21, event: 'done' }]);
  });

  it.each<{ situation: string; given: Partial<CourseMove>; told: object[] }>([
    {
      situation: 'left its instance where it was',
      given: { outcome: 'stayed' },
      told: [{ instance: 'i', stayed: true }],
    },
    { situation: 'found its instance gone', given: { outcome: 'gone' }, told: [{ instance: 'i', gone: true }] },
    { situation: 'is under way', given: { outcome: null, endedAt: null }, told: [] },
  ])('tells of an action that $situation', ({ given, told }) => {
    const events = traceOf({ ...course, moves: course.moves.map((move) => ({ ...move, ...given })) });
    expect(events.filter(({ event }) => event === 'move_start')).toHaveLength(1);
    expect(events.filter(({ event }) => event === 'move_end')).toEqual(
      told.map((fields) => ({ t: 10.5, event: 'move_end', ...fields })),
    );
  });

  it('is empty before the work has begun', () => {
    const notices = course.notices.slice(0, 1);
    expect(traceOf({ ...course, moves: [], questions: [], hosts: [], notices })).toEqual([]);
  });
});
