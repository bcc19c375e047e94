import Long from 'long';
import { activitiesIn } from '../../../../dev/bench/histories';

const event = (id: number, seconds: number, attributes: object) => ({
  eventId: Long.fromNumber(id),
  eventTime: { seconds: Long.fromNumber(seconds), nanos: 500_000_000 },
  ...attributes,
});

const scheduled = (id: number, seconds: number, name: string) =>
  event(id, seconds, { activityTaskScheduledEventAttributes: { activityType: { name } } });

const started = (id: number, seconds: number, attempt: number) =>
  event(id, seconds, { activityTaskStartedEventAttributes: { attempt } });

const completed = (id: number, seconds: number, [scheduledId, startedId]: readonly [number, number]) =>
  event(id, seconds, {
    activityTaskCompletedEventAttributes: {
      scheduledEventId: Long.fromNumber(scheduledId),
      startedEventId: Long.fromNumber(startedId),
    },
  });

describe('the activities in a history', () => {
  it('have the time that they waited for a worker and the time that they ran, side by side or not', () => {
    const events = [
      scheduled(5, 10, 'moveInstance'),
      scheduled(6, 10, 'planAndAdmit'),
      started(7, 11, 1),
      completed(8, 15, [6, 7]),
      started(9, 12, 2),
      completed(10, 20, [5, 9]),
    ];
    expect(activitiesIn(events)).toEqual([
      { type: 'planAndAdmit', waitMs: 1_000, runMs: 4_000, attempt: 1 },
      { type: 'moveInstance', waitMs: 2_000, runMs: 8_000, attempt: 2 },
    ]);
  });

  it('are those that were completed', () => {
    expect(activitiesIn([scheduled(5, 10, 'moveInstance'), started(6, 11, 1)])).toEqual([]);
  });
});
