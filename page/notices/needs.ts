/** The reason why a session needs its admin, if it does. */
import { nameOr, withShortIds } from '../../rules/words/names';
import type { Summary } from '../client/types';

export interface Need {
  /** The same while nothing has changed: it is told once. */
  readonly kind: 'failed' | 'paused' | 'waits';
  readonly words: string;
}

type Facts = Pick<Summary, 'progress' | 'failure' | 'paused_because'> & {
  readonly waiting: readonly Pick<
    Summary['waiting'][number],
    'waiting_for' | 'owner' | 'because' | 'subject' | 'subject_name'
  >[];
};

/** Undefined: it needs nobody. A session that an admin has paused is meant to rest. */
export const needOf = (facts: Facts): Need | undefined => {
  const { progress, failure, paused_because: paused } = facts;
  if (progress === 'failed' || progress === 'failing') {
    return { kind: 'failed', words: withShortIds(`It has failed: ${failure ?? 'the reason is not known'}`) };
  }
  if (progress === 'paused') {
    return paused === null ? undefined : { kind: 'paused', words: withShortIds(`It has paused itself: ${paused}`) };
  }
  const wait = waitForAdmin(facts);
  if (wait === undefined) return undefined;
  return {
    kind: 'waits',
    words: withShortIds(`It waits for you: ${wait.because ?? nameOr(wait.subject, wait.subject_name)}`),
  };
};

/** Outside of its windows a session goes on by itself, unless none of them opens any more. */
const waitForAdmin = ({ progress, waiting }: Facts): Facts['waiting'][number] | undefined =>
  waiting.find(
    ({ owner, waiting_for: kind }) =>
      owner === 'admin' && (progress === 'running' || (progress === 'closed' && kind === 'window')),
  );
