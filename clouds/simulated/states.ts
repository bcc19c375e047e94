/** States of instances in which the simulated cloud does not move them, in Nova's words, and what would help. */
import type { CannotMoveNow } from '../../rules/cloud/departure';

const help = {
  SUSPENDED: 'let its project resume it',
  RESCUED: 'let its project end the rescue',
  ERROR: 'let an operator repair it, or its project delete it',
  VERIFY_RESIZE: 'let its project confirm or revert its resize',
} as const;

export type StuckState = keyof typeof help;
const isStuck = (state: string): state is StuckState => Object.hasOwn(help, state);

/** All that `fleet state` takes. */
export const simulatedStates: readonly string[] = ['ACTIVE', ...Object.keys(help)];

/** Undefined: the cloud moves it. */
export const cannotMoveIn = (state: string): CannotMoveNow | undefined => {
  if (!isStuck(state)) return undefined;
  return { because: `it is ${state}`, owner: state === 'ERROR' ? 'operator' : 'project', help: help[state] };
};
