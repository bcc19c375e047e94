/**
 * Tells whoever puts work off that the session has a deadline before that time. Such a time is taken all the same: the
 * admin sees it as a blocker (rules/steering/deadline-miss.ts).
 */
import type { ReplyTimes } from './reply-times';

/** The deadline of a session where the time lies behind it; undefined: the time leaves the session in time. */
export const deadlineBefore = (deadline: Date | null, time: Date | undefined): Date | undefined =>
  deadline !== null && time !== undefined && deadline < time ? deadline : undefined;

/** The latest of the times in a reply; undefined: it has none. */
export const lastTimeIn = (times: ReplyTimes | undefined): Date | undefined => {
  const { notBeforeMs, instanceNotBeforeMs = {} } = times ?? {};
  const all = [...(notBeforeMs === undefined ? [] : [notBeforeMs]), ...Object.values(instanceNotBeforeMs)];
  return all.length === 0 ? undefined : new Date(Math.max(...all));
};

export const beyondDeadlineInWords = (time: Date, deadline: Date): string =>
  `not before ${time.toISOString()} is behind the deadline of the session, ${deadline.toISOString()}: it will not be over ` +
  'in time; an earlier time would help';
