/** The differences of a plan from the plan before it, in words. */
import { withShortIds } from '../../rules/words/names';
import { count, duration } from '../../rules/words/times';
import type { Blocker, Plan } from '../client/types';

export interface PlanChange {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly words: string;
}

type Compared = Pick<Plan, 'completes' | 'ends_at' | 'seconds_left' | 'move_count'> & {
  readonly hosts: readonly unknown[];
  readonly questions: readonly unknown[];
  readonly blockers: readonly Pick<Blocker, 'kind' | 'subject' | 'severity' | 'because'>[];
};

/** Less is not worth a word. */
const leastSeconds = 5;
const named = 3;

export const changesBetween = (before: Compared, after: Compared): readonly PlanChange[] => [
  ...endChange(before, after),
  ...countChange(after.hosts.length - before.hosts.length, 'host'),
  ...countChange(after.move_count - before.move_count, 'move'),
  ...countChange(after.questions.length - before.questions.length, 'question'),
  ...blockerChanges(before, after),
];

const endChange = (before: Compared, after: Compared): readonly PlanChange[] => {
  const [had, has] = [hasEnd(before), hasEnd(after)];
  if (had !== has) {
    return has ? [{ tone: 'good', words: 'comes to its end now' }] : [{ tone: 'bad', words: 'would not end any more' }];
  }
  const seconds = secondsLater(before, after);
  if (Math.abs(seconds) < leastSeconds) return [];
  return seconds > 0
    ? [{ tone: 'bad', words: `ends ${duration(seconds)} later` }]
    : [{ tone: 'good', words: `ends ${duration(-seconds)} earlier` }];
};

const hasEnd = ({ completes, ends_at: end }: Compared): boolean => completes && end !== null;

/** Time goes on between two plans: a session that begins now ends later by it, and one with a fixed start does not. */
const secondsLater = ({ ends_at: oldEnd, seconds_left: oldLeft }: Compared, after: Compared): number => {
  const { ends_at: end, seconds_left: left } = after;
  if (oldEnd === null || end === null || oldLeft === null || left === null) return 0;
  const byClock = (Date.parse(end.expected) - Date.parse(oldEnd.expected)) / 1_000;
  const byLength = left.expected - oldLeft.expected;
  return Math.abs(byClock) < Math.abs(byLength) ? byClock : byLength;
};

const countChange = (more: number, noun: string): readonly PlanChange[] =>
  more === 0 ? [] : [{ tone: 'plain', words: `${count(Math.abs(more), noun)} ${more > 0 ? 'more' : 'fewer'}` }];

const keyOf = ({ kind, subject }: Compared['blockers'][number]): string => `${kind} ${subject}`;

const blockerChanges = (before: Compared, after: Compared): readonly PlanChange[] => {
  const [old, present] = [before, after].map(({ blockers }) => new Map(blockers.map((one) => [keyOf(one), one])));
  const gone = [...(old ?? [])].filter(([key]) => present?.has(key) !== true).map(([, one]) => one);
  const come = [...(present ?? [])].filter(([key]) => old?.has(key) !== true).map(([, one]) => one);
  return [...told(gone, 'good', 'gone'), ...told(come, 'bad', 'new')];
};

const told = (blockers: Compared['blockers'], tone: 'good' | 'bad', word: string): readonly PlanChange[] => {
  if (blockers.length > named) return [{ tone, words: `${count(blockers.length, 'blocker')} ${word}` }];
  return blockers.map(({ because, severity }) => ({
    tone: tone === 'bad' && severity === 'note' ? 'plain' : tone,
    words: `${word}: ${withShortIds(because)}`,
  }));
};
