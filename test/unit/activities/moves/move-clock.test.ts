/** When a move in flight is cut off, in seconds since it was asked for. */
import { cutOffAtMs, type MoveLimit } from '../../../../activities/moves/move-clock';
import type { RunningMove } from '../../../../clouds/cloud-driver';

const noon = Date.parse('2026-01-01T12:00:00Z');
const at = (seconds: number): Date => new Date(noon + seconds * 1000);
const bySetting: MoveLimit = { seconds: 100, isByProject: false, queueSeconds: 1_000 };
const byProject: MoveLimit = { ...bySetting, isByProject: true };

it.each<{ situation: string; limit: MoveLimit; running: Omit<RunningMove, 'kind'>; seconds: number }>([
  { situation: 'the cloud tells nothing', limit: bySetting, running: {}, seconds: 100 },
  { situation: 'it waited in a queue first', limit: bySetting, running: { beganAt: at(70) }, seconds: 170 },
  { situation: 'so, by the limit of its project', limit: byProject, running: { beganAt: at(70) }, seconds: 170 },
  { situation: 'it waits in a queue', limit: bySetting, running: { isQueued: true }, seconds: 1_100 },
  {
    situation: 'it has made progress since',
    limit: bySetting,
    running: { beganAt: at(70), progressAt: at(150) },
    seconds: 250,
  },
  {
    situation: 'it has made progress, and its project has set the limit',
    limit: byProject,
    running: { beganAt: at(70), progressAt: at(150) },
    seconds: 170,
  },
  {
    situation: 'an earlier move of its claim began before',
    limit: bySetting,
    running: { beganAt: at(-50) },
    seconds: 100,
  },
])('after $seconds s where $situation', ({ limit, running, seconds }) => {
  expect(cutOffAtMs(noon, limit, running)).toBe(at(seconds).getTime());
});
