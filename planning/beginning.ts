import type { Fleet, SessionState } from './fleet';

export function stateAfterLook(_fleet: Fleet, _sessionId: string): SessionState {
  throw new RangeError('not decided yet');
}
