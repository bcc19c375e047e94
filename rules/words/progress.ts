/** How sessions go on, as the API names it and as people read it: the same in the terminal and on the page. */

export const progressWords = {
  scheduled: 'scheduled',
  running: 'running',
  closed: 'waits for its window',
  paused: 'paused',
  failing: 'failing',
  failed: 'failed',
  aborting: 'aborting',
  aborted: 'aborted',
  deleting: 'deleting',
  done: 'done',
} as const;

type NamedProgress = keyof typeof progressWords;

const isNamed = (progress: string): progress is NamedProgress => Object.hasOwn(progressWords, progress);

/** The progress of a newer service is said as it is. */
export const progressInWords = (progress: string): string => (isNamed(progress) ? progressWords[progress] : progress);

/** True when nothing goes on until an admin continues the session. */
export const hasStopped = (progress: string): boolean => progress === 'failed' || progress === 'aborted';

/** Follows the end of a session that is not known; undefined: it is over. */
export const noEndWords = (progress: string): string => {
  if (progress === 'running') return 'end not known';
  if (hasStopped(progress)) return `it ${progress === 'failed' ? 'has failed' : 'was aborted'}`;
  return progress === 'closed'
    ? 'no end while it waits for its window'
    : `no end while it is ${progressInWords(progress)}`;
};
