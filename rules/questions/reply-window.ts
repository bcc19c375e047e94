/**
 * Decides how many seconds a project has for its reply: `reply_at` is that time after the event of the question was
 * taken (events/reply-times.ts). A project that stored no lead_time has the time of a setting.
 */

/** The default of PARLEY_PROJECT_REPLY_SECONDS. */
export const usualReplySeconds = 20;

interface HasLeadTime {
  /** lead_time of its constraints; undefined: none are stored. */
  readonly leadTimeSeconds?: number | undefined;
}

/** @param usualSeconds PARLEY_PROJECT_REPLY_SECONDS */
export const replyWindowOfInstance = ({ leadTimeSeconds }: HasLeadTime, usualSeconds: number): number =>
  leadTimeSeconds ?? usualSeconds;

/** Window of one question about several instances of a host: the longest lead_time that any of them has. */
export const replyWindowOfHost = (instances: readonly HasLeadTime[], usualSeconds: number): number =>
  Math.max(0, ...instances.map(({ leadTimeSeconds = 0 }) => leadTimeSeconds)) || usualSeconds;

/** Window of a question about the session as a whole. */
export const replyWindowOfSession = (
  state: string,
  settings: { readonly projectReplySeconds: number; readonly scaleInReplySeconds: number },
): number => (state === 'SCALE_IN' ? settings.scaleInReplySeconds : settings.projectReplySeconds);
