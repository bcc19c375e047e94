/**
 * A paused session: nothing new begins, everything in flight ends, and the windows of open questions run on, because
 * their managers were promised that time. The consequences of an answer or of silence wait until the session is
 * resumed.
 */
import type { NegotiationStep } from './negotiation';
import type { ScaleInStep } from './scale-in-round';

/** Reduces the step of a negotiation to closing the questions whose windows have ended. */
export const holdBackQuestions = ({ close, unneeded, open, lookAgainMs }: NegotiationStep): NegotiationStep => {
  return { close, unneeded, open, lookAgainMs, create: [], settled: false };
};

/** A project that was asked to scale in has its promised time. No other project is asked, and no round is the last. */
export const holdBackScaleIn = (step: ScaleInStep, lookAgainMs: number): ScaleInStep => {
  if (step.kind === 'wait') return { ...step, lookAgainMs: Math.min(step.lookAgainMs, lookAgainMs) };
  return { kind: 'wait', close: step.close, projectIds: [], lookAgainMs };
};
