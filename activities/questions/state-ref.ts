/** A state of a session, for the activities that work in it. */
import type { SessionRef } from '../session/run-in-force';

export interface StateRef extends SessionRef {
  readonly state: string;
}
