/** Resumes a failed session, and sees that it comes to its end and repeats nothing that was done before. */
import type { Admin, SessionDetail } from '../rig/admin';
import type { Rig } from '../rig/rig';
import { continueFailed, untilDone } from './continued-session';
import { expectWorkDoneToStay, factsOf, type SessionFacts } from './session-facts';

interface Failed {
  readonly sessionId: string;
  /** Its facts before the resume. */
  readonly before: SessionFacts;
  /** The state to go on from; left out: that of the failure. */
  readonly state?: string;
}

interface Ended {
  readonly done: SessionDetail;
  readonly after: SessionFacts;
  /** The states that were told since. */
  readonly statesSince: readonly string[];
}

export const continueToTheEnd = async (
  { rig, admin }: { readonly rig: Rig; readonly admin: Admin },
  { sessionId, before, state }: Failed,
): Promise<Ended> => {
  await continueFailed(admin, sessionId, state);
  const done = await untilDone(admin, sessionId);
  expect(done.percent_done).toBe(100);
  const after = await factsOf(rig, sessionId);
  expectWorkDoneToStay(before, after);
  return { done, after, statesSince: after.states.slice(before.states.length) };
};
