/**
 * Decides by a session's `reply_policy` what follows when a project does not answer or refuses for the last time. The
 * default behaviour, when it follows a silence, is in action-by-answer.ts, and for SCALE_IN in scale-in-round.ts.
 */

export interface ReplyPolicy {
  /** Follows when the window of a question about a host ends without an answer. */
  readonly silence: 'default' | 'skip_host' | 'pause';
  /** Follows the last refusal of a project. Left out: by the session's times, as `lastNackOf` says. */
  readonly lastNack?: 'fail' | 'skip_host' | 'pause';
}

/** The policy of a session; null: it was created without one. */
type GivenPolicy = ReplyPolicy | null;

/** The parts of a session by which it is decided what follows a refusal. */
export interface SessionThatAsks {
  readonly replyPolicy: GivenPolicy;
  readonly windows: object | null;
  readonly deadline: Date | null;
}

/**
 * A session with maintenance windows or a deadline runs while nobody looks: one project that refuses does not fail it,
 * unless it is to.
 */
export const lastNackOf = ({ replyPolicy, windows, deadline }: SessionThatAsks): ReplyVerdict['kind'] =>
  replyPolicy?.lastNack ?? (windows === null && deadline === null ? 'fail' : 'pause');

export interface ReplyVerdict {
  readonly kind: 'fail' | 'skip_host' | 'pause';
  readonly because: string;
}

/** What the admin can do once the project agrees. */
const afterAgreement: Readonly<Record<ReplyVerdict['kind'], string>> = {
  fail: 'continue the session',
  skip_host: 'retry the host',
  pause: 'resume the session',
};

/** A refusal that counts for the last time always has a consequence. Its reason ends with what the admin can do. */
export const afterLastNack = (session: SessionThatAsks, refusal: string): ReplyVerdict => {
  const kind = lastNackOf(session);
  return { kind, because: `${refusal}; settle with its manager, then ${afterAgreement[kind]}` };
};

/** undefined: the default behaviour follows, as for every project that does not take part. */
export const afterSilence = (policy: GivenPolicy, because: string): ReplyVerdict | undefined => {
  const silence = policy?.silence ?? 'default';
  return silence === 'default' ? undefined : { kind: silence, because };
};

/**
 * True when a question about a host is closed only together with the consequence of its silence: while the session is
 * paused it stays open, and still takes an answer.
 */
export const actsOnSilence = (policy: GivenPolicy): boolean => (policy?.silence ?? 'default') !== 'default';
