/** What an admin may ask of a session that runs, and whether it can be had. Facts in, data out. */

export type SessionRequest = 'pause' | 'resume' | 'abort';

export interface RequestedSession {
  readonly state: string;
  readonly isPaused: boolean;
  /** It fails: work in flight comes to its end. */
  readonly isFailing: boolean;
  /** An abort was asked for; of a failed session: it was aborted. */
  readonly isAborted: boolean;
  /** It failed, and goes on in a moment (PUT). */
  readonly isResuming: boolean;
  readonly isDeleting: boolean;
}

/** change: to be written down. already: it is so, or is about to be. */
export type RequestDecision =
  | { readonly kind: 'change' | 'already' }
  | { readonly kind: 'refuse'; readonly because: string; readonly hint: string };

/** What was asked for and is so already is no error: whoever did not get the answer asks again. */
export function decideRequest(request: SessionRequest, session: RequestedSession): RequestDecision {
  if (request === 'abort' && session.isDeleting) return { kind: 'already' };
  if (request === 'abort' && session.isAborted && !session.isResuming) return { kind: 'already' };
  const refusal = whyNot(request, session);
  if (refusal !== undefined) return { kind: 'refuse', ...refusal };
  return { kind: isSo(request, session) ? 'already' : 'change' };
}

function isSo(request: SessionRequest, { isPaused }: RequestedSession): boolean {
  switch (request) {
    case 'pause':
      return isPaused;
    case 'resume':
      return !isPaused;
    case 'abort':
      return false;
  }
}

interface Refusal {
  readonly because: string;
  readonly hint: string;
}

function whyNot(request: SessionRequest, session: RequestedSession): Refusal | undefined {
  if (session.isDeleting) return { because: 'it is being deleted', hint: 'create another session for its hosts' };
  if (session.state === 'MAINTENANCE_DONE') return { because: 'it is done', hint: 'DELETE removes it' };
  if (session.isResuming) return { because: 'it is being resumed after a failure', hint: 'repeat it once it runs' };
  if (session.state === 'MAINTENANCE_FAILED') {
    return { because: 'it has failed', hint: 'PUT /v1/maintenance/{session_id} goes on with it, DELETE removes it' };
  }
  if (session.isAborted) return { because: 'it is being aborted', hint: afterwards };
  if (session.isFailing && request !== 'abort') return { because: 'it is failing', hint: afterwards };
  return undefined;
}

const afterwards = 'wait for MAINTENANCE_FAILED; PUT /v1/maintenance/{session_id} then goes on with it';
