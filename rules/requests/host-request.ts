/** Requests of an admin about one host of a session: skip, retry, first, ignore. Says whether the host allows it. */
import type { HostPhase } from '../decisions/fleet/fleet';
import type { RequestedSession } from './session-request';

export const hostRequests = ['skip', 'retry', 'first', 'ignore'] as const;
export type HostRequest = (typeof hostRequests)[number];

export interface RequestedHost {
  readonly phase: HostPhase;
  /** True when its maintenance has begun: the event maintenance.host IN_MAINTENANCE has told it. */
  readonly isAnnounced: boolean;
  /** True when the session has disabled it and not enabled it again. */
  readonly isDisabledByUs: boolean;
  /** True when it is to be skipped as soon as it is enabled again. */
  readonly isToBeSkipped: boolean;
  /** The marks of others that its session ignores, and what it is back without. */
  readonly ignoredMarks: readonly string[];
  /** The marks of others that are on it now, and after its maintenance what differs from before, without these. */
  readonly marks: readonly string[];
}

/** The columns of a host that a request reads. */
export interface RequestableHost {
  readonly phase: HostPhase;
  readonly announcedAt: Date | null;
  readonly disabled: boolean;
  readonly disabledBefore: boolean | null;
  readonly skipReason: string | null;
  readonly ignoredMarks?: readonly string[];
}

/** @param marks those that a look found on it */
export const requestedHostOf = (host: RequestableHost, marks: readonly string[] = []): RequestedHost => ({
  phase: host.phase,
  isAnnounced: host.announcedAt !== null,
  isDisabledByUs: host.disabled && host.disabledBefore !== true,
  isToBeSkipped: host.skipReason !== null,
  ignoredMarks: host.ignoredMarks ?? [],
  marks: marks.filter((name) => host.ignoredMarks?.includes(name) !== true),
});

/** - phase: the phase to write; left out: the phase does not change. */
export type HostRequestDecision =
  | { readonly kind: 'change'; readonly phase?: HostPhase }
  | { readonly kind: 'already' }
  | ({ readonly kind: 'refuse' } & HostRequestRefusal);

/** - about: whether the state of the host or that of its session is the reason. */
export interface HostRequestRefusal {
  readonly about: 'host' | 'session';
  readonly because: string;
  readonly hint: string;
}

type SessionToSteer = Pick<RequestedSession, 'state' | 'isFailing' | 'isAborted' | 'isContinuing' | 'isDeleting'>;

/** A request that has been fulfilled already is no error: a caller who did not get the answer asks again. */
export const decideHostRequest = (
  request: HostRequest,
  host: RequestedHost,
  session: SessionToSteer,
): HostRequestDecision => {
  const refusal = whyNotSteered(session);
  if (refusal) return { kind: 'refuse', about: 'session', ...refusal };
  switch (request) {
    case 'skip':
      return decideSkip(host, session);
    case 'retry':
      return decideRetry(host, session);
    case 'first':
      return decideFirst(host);
    case 'ignore':
      return decideIgnore(host);
  }
};

const decideSkip = (host: RequestedHost, session: SessionToSteer): HostRequestDecision => {
  if (host.phase === 'skipped' || host.isToBeSkipped) return { kind: 'already' };
  if (host.phase === 'maintained') {
    return refuse('it is maintained already', 'skip a host before its maintenance has begun');
  }
  if (host.phase === 'maintaining' && host.isAnnounced) return refuse('its maintenance has begun', inMaintenance);
  if (host.phase === 'emptying' || host.phase === 'maintaining') return { kind: 'change', phase: 'releasing' };
  if (host.phase === 'releasing') return { kind: 'change' };
  return host.isDisabledByUs ? skipWhenEnabled(session) : { kind: 'change', phase: 'skipped' };
};

/** Nobody works for a failed session: it enables the host when it goes on. */
const skipWhenEnabled = ({ state }: SessionToSteer): HostRequestDecision => {
  return state === 'MAINTENANCE_FAILED' ? { kind: 'change' } : { kind: 'change', phase: 'releasing' };
};

const decideRetry = ({ phase, isToBeSkipped }: RequestedHost, session: SessionToSteer): HostRequestDecision => {
  if (phase === 'set_aside' || phase === 'skipped') return { kind: 'change', phase: 'waiting' };
  if (phase === 'failed') return isToBeSkipped ? { kind: 'change' } : failedAlready(session);
  if (phase === 'releasing') {
    return refuse('the work on it is coming to its end', 'repeat the request when it is skipped or set aside');
  }
  if (phase !== 'maintained') return { kind: 'already' };
  return refuse('it is maintained already', 'retry is for hosts that were set aside or skipped');
};

const failedAlready = ({ state }: SessionToSteer): HostRequestDecision => {
  return state === 'MAINTENANCE_FAILED'
    ? refuse('its session has failed', 'PUT /v1/maintenance/{session_id} takes failed hosts up again')
    : refuse('it has failed just now', 'repeat the request when it is set aside');
};

const decideFirst = (host: RequestedHost): HostRequestDecision => {
  switch (host.phase) {
    case 'waiting':
      return { kind: 'change' };
    case 'emptying':
    case 'maintaining':
      return { kind: 'already' };
    case 'maintained':
      return refuse('it is maintained already', 'only a host that waits can come before the others');
    case 'set_aside':
    case 'skipped':
      return refuse('the session goes on without it', 'retry takes it up again; then let it be the first');
    case 'releasing':
    case 'failed':
      return refuse('the work on it is coming to its end', 'repeat the request when it waits again');
  }
};

/** The marks that are on the host now are ignored for as long as the session has it, and no others. */
const decideIgnore = ({ phase, marks, ignoredMarks }: RequestedHost): HostRequestDecision => {
  if (phase === 'maintained') return refuse('it is maintained already', 'nobody is waited for on it any more');
  if (marks.length > 0) return { kind: 'change' };
  if (ignoredMarks.length > 0) return { kind: 'already' };
  return refuse(
    'it has no mark of somebody else who is at work on it, and is not back from its maintenance without something',
    'waiting and the plan name both',
  );
};

const inMaintenance = 'wait for its end, or abort the session: an abort gives hosts in maintenance back';

const refuse = (because: string, hint: string): HostRequestDecision => {
  return { kind: 'refuse', about: 'host', because, hint };
};

/** A failed session may be prepared before it continues. */
const whyNotSteered = (session: SessionToSteer): Omit<HostRequestRefusal, 'about'> | undefined => {
  if (session.isDeleting) return { because: 'its session is being deleted', hint: 'create another session for it' };
  if (session.state === 'MAINTENANCE_DONE') {
    return { because: 'its session is done', hint: 'create another session for it' };
  }
  if (session.isContinuing)
    return { because: 'its session is about to continue', hint: 'repeat it once the session runs' };
  if (session.state === 'MAINTENANCE_FAILED') return undefined;
  if (session.state === 'MAINTENANCE_COMPLETE') {
    return { because: 'its session has ended its work on hosts', hint: 'create another session for it' };
  }
  const afterwards = 'repeat it when the session is in MAINTENANCE_FAILED, before it continues';
  if (session.isAborted) return { because: 'its session is being aborted', hint: afterwards };
  return session.isFailing ? { because: 'its session is failing', hint: afterwards } : undefined;
};
