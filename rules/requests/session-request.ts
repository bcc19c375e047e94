/** Decides whether a running session can carry out an admin's request. Facts in, data out. */

export type SessionRequest = 'pause' | 'resume' | 'abort';

export interface RequestedSession {
  readonly state: string;
  readonly isPaused: boolean;
  /** True while it fails: work in flight ends. */
  readonly isFailing: boolean;
  /** True when an abort was requested; for a failed session: it was aborted. */
  readonly isAborted: boolean;
  /** True when it failed and is about to continue (PUT). */
  readonly isContinuing: boolean;
  readonly isDeleting: boolean;
}

/** change: the request must be written. already: it holds already, or soon will. */
export type RequestDecision =
  | { readonly kind: 'change' | 'already' }
  | { readonly kind: 'refuse'; readonly because: string; readonly hint: string };

/** The record of a session, as far as requests depend on it. */
export interface RequestableSession {
  readonly state: string;
  readonly pausedAt: Date | null;
  readonly stopping: string | null;
  readonly abortRequestedAt: Date | null;
  readonly continueRequestId: string | null;
  readonly deleteRequestedAt: Date | null;
}

export const requestedOf = (session: RequestableSession): RequestedSession => ({
  state: session.state,
  isPaused: session.pausedAt !== null,
  isFailing: session.stopping !== null,
  isAborted: session.abortRequestedAt !== null,
  isContinuing: session.continueRequestId !== null,
  isDeleting: session.deleteRequestedAt !== null,
});

/** A repeated request is not an error: a client that lost the answer asks again. */
export const decideRequest = (request: SessionRequest, session: RequestedSession): RequestDecision => {
  if (request === 'abort' && session.isDeleting) return { kind: 'already' };
  if (request === 'abort' && session.isAborted && !session.isContinuing) return { kind: 'already' };
  const refusal = whyNot(request, session);
  if (refusal !== undefined) return { kind: 'refuse', ...refusal };
  return { kind: isSo(request, session) ? 'already' : 'change' };
};

const isSo = (request: SessionRequest, { isPaused }: RequestedSession): boolean => {
  switch (request) {
    case 'pause':
      return isPaused;
    case 'resume':
      return !isPaused;
    case 'abort':
      return false;
  }
};

interface RequestRefusal {
  readonly because: string;
  readonly hint: string;
}

const whyNot = (request: SessionRequest, session: RequestedSession): RequestRefusal | undefined => {
  if (session.isDeleting) return { because: 'it is being deleted', hint: 'create another session for its hosts' };
  if (session.state === 'MAINTENANCE_DONE') return { because: 'it is done', hint: 'DELETE removes it' };
  if (session.isContinuing)
    return { because: 'it is about to continue after a failure', hint: 'repeat it once it runs' };
  if (session.state === 'MAINTENANCE_FAILED') {
    return { because: 'it has failed', hint: 'PUT /v1/maintenance/{session_id} goes on with it, DELETE removes it' };
  }
  if (session.isAborted) return { because: 'it is being aborted', hint: afterwards };
  if (session.isFailing && request !== 'abort') return { because: 'it is failing', hint: afterwards };
  return undefined;
};

const afterwards = 'wait for MAINTENANCE_FAILED; PUT /v1/maintenance/{session_id} then goes on with it';
