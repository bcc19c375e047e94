/** How a session goes on, as far as the work on its hosts depends on it. */

const courses = {
  scheduled: 'going',
  running: 'going',
  closed: 'going',
  paused: 'going',
  failing: 'failing',
  failed: 'failed',
  aborting: 'aborting',
  aborted: 'aborted',
  deleting: 'deleting',
  done: 'done',
} as const;

export interface SessionToTell {
  /** The progress as the API tells it. */
  readonly progress: keyof typeof courses;
  readonly state: string;
}

/** - ended: it works on no host any more. - continuing: it has failed, and a worker is to go on with it. */
export type CourseOfSession = (typeof courses)[keyof typeof courses] | 'ended' | 'continuing';

export const courseOf = ({ progress, state }: SessionToTell): CourseOfSession => {
  const course = courses[progress];
  if (course !== 'going') return course;
  if (state === 'MAINTENANCE_FAILED') return 'continuing';
  return state === 'MAINTENANCE_COMPLETE' ? 'ended' : 'going';
};
