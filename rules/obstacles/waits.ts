/**
 * Everything that a host, an instance or a session may wait for: who can end the wait, what would help, and its words
 * in the terminal and in the browser. A kind is added here alone, and to the table of its test.
 * See also blockers.ts: what stands in the way of a session.
 */
import { withShortIds } from '../words/names';
import { helpForRight } from './missing-right';
import type { Owner } from './owner';

/** A reason to wait, as a decision finds it and the session's row keeps it. */
export interface Waiting {
  readonly waitingFor: WaitKind;
  /** The name of the waiting host, or the ID of the waiting instance. */
  readonly who: string;
  /**
   * The thing that it waits for: a group's name, a host, a project, a time, a window. For `resume`: the time since
   * which the session is paused. For `content`: the project that can put right what is on the host, else the host. For
   * `right`: the cloud's name of the right.
   */
  readonly subject: string;
  /** The group's ID, when `subject` is the name of a group. */
  readonly subjectId?: string;
  /** The words of the cloud about it, or the missing capacity, when they tell more. */
  readonly because?: string;
  /** The time since when the reason is there, in milliseconds. Left out: since a decision first found it. */
  readonly sinceMs?: number;
  /** The longest remaining time, in milliseconds, when it is known. */
  readonly remainingMs?: number;
}

/** A wait as the API tells it. */
export interface WaitToTell {
  readonly waiting_for: string;
  readonly subject: string;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly who?: string;
  readonly because?: string | null;
}

interface KindOfWait {
  /** Budgets, recoveries and turns end by themselves, with the work of this or another session: `service`. */
  readonly owner: Owner | ((wait: WaitToTell) => Owner);
  /** Follows "waits for". */
  readonly words: (name: string, wait: WaitToTell) => string;
  /** Left out where `because` says it. */
  readonly help?: string | ((wait: WaitToTell) => string);
  /** True when the subject is a name that people know. */
  readonly isNamed?: true;
  /** What becomes free elsewhere may end the wait: the budget of a group, or room on a host. */
  readonly endsWith?: readonly ('budget' | 'room')[];
}

/** A webhook gives the reason: that it has not taken the question. */
const isWebhook = ({ because }: WaitToTell): boolean => (because ?? '') !== '';

const projectElseOperator = ({ subject_id: projectId }: WaitToTell): Owner =>
  projectId === null ? 'operator' : 'project';

/** The kinds in the order in which the API lists them. */
const kinds = {
  group: {
    owner: 'service',
    words: (name) => `group ${name}, which is at its limit`,
    help: 'other members come back, or the project raises max_impacted_members',
    isNamed: true,
    endsWith: ['budget', 'room'],
  },
  room: {
    owner: projectElseOperator,
    words: (name, { subject_name: project, because }) =>
      project === null ? `capacity: ${because ?? name}` : `capacity that project ${name} frees`,
    help: 'free capacity, enable a host, or skip the host (parley hosts skip)',
    endsWith: ['room'],
  },
  affinity: {
    owner: 'operator',
    words: (name) => `a host that suits group ${name}`,
    help: 'another host takes it, or skip the host (parley hosts skip)',
    isNamed: true,
    endsWith: ['room'],
  },
  answer: {
    owner: 'project',
    words: (name) => `the answer of project ${name}`,
    help: 'its manager answers (parley questions, parley reply), or the default follows when its time is over',
  },
  service: {
    owner: 'service',
    words: (name) => `the service to continue without project ${name}, which did not answer in time`,
    help: 'nothing has to be done, as long as a worker runs',
  },
  recovery: {
    owner: 'service',
    words: (name) => `group ${name}, which recovers`,
    help: 'recovery_time passes',
    isNamed: true,
    endsWith: ['budget', 'room'],
  },
  members: {
    owner: 'project',
    words: (name) => `members of group ${name} to serve again`,
    help: 'let the project repair them; the service goes on by itself then',
    isNamed: true,
  },
  host: {
    owner: 'service',
    words: (name, { subject, subject_id: movingId, who }) => {
      if (subject === who || subject === 'turn') return 'its turn';
      return movingId === null ? `host ${name}` : `the move of ${name}`;
    },
    help: 'its turn comes; parley hosts first lets it come sooner',
    isNamed: true,
  },
  bus: {
    owner: (wait) => (isWebhook(wait) ? 'project' : 'operator'),
    words: (name, wait) => (isWebhook(wait) ? `the webhook of project ${name}` : 'the message bus'),
    help: (wait) =>
      isWebhook(wait)
        ? 'the webhook takes it (parley webhooks list), or its window opens without that when the time is over'
        : 'the message bus takes events again; see the log of the worker',
  },
  time: { owner: 'service', words: (name) => `its time, ${name}`, help: 'nothing has to be done: it goes on then' },
  window: { owner: 'admin', words: (name) => name },
  resume: { owner: 'admin', words: (_, { because }) => because ?? 'the resume of the session', help: 'parley resume' },
  state: {
    owner: projectElseOperator,
    words: (name, { because }) => because ?? `an instance of ${name} to be in a state in which it can be moved`,
  },
  move: {
    owner: 'service',
    words: (name, { because }) => because ?? `the cloud to carry out a move from host ${name}`,
    help: 'it is tried again by itself; if it lasts, put right what the cloud names',
  },
  content: { owner: projectElseOperator, words: (name, { because }) => because ?? `what is on host ${name}` },
  right: {
    owner: 'operator',
    words: (name, { because }) => because ?? `the right ${name} in the cloud`,
    help: helpForRight,
  },
  start: {
    owner: 'operator',
    words: (name, { because }) => because ?? `host ${name} to be up again`,
    help: 'start it and its services; a host that is not up in time has failed',
  },
} as const satisfies Readonly<Record<string, KindOfWait>>;

export type WaitKind = keyof typeof kinds;

const isWaitKind = (kind: string): kind is WaitKind => Object.hasOwn(kinds, kind);

export const waitKinds: readonly WaitKind[] = Object.keys(kinds).filter(isWaitKind);

/** undefined: a newer service tells it to an older command line or page. */
const kindOf = ({ waiting_for: kind }: Pick<WaitToTell, 'waiting_for'>): KindOfWait | undefined =>
  isWaitKind(kind) ? kinds[kind] : undefined;

export const waitInWords = (wait: WaitToTell): string => {
  const name = wait.subject_name ?? wait.subject;
  return withShortIds(kindOf(wait)?.words(name, wait) ?? `${wait.waiting_for} ${name}`);
};

/** `because` where the words of the wait do not say it already; undefined: nothing more is known. */
export const furtherReason = (wait: WaitToTell): string | undefined => {
  const because = withShortIds(wait.because ?? '');
  return waitInWords(wait).includes(because) ? undefined : because;
};

export const ownerOfWait = (wait: WaitToTell): Owner => {
  const owner = kindOf(wait)?.owner ?? 'service';
  return typeof owner === 'string' ? owner : owner(wait);
};

export const helpForWait = (wait: WaitToTell): string | undefined => {
  const help = kindOf(wait)?.help;
  return typeof help === 'function' ? help(wait) : help;
};

/** True when the subject of such a wait is a name, not an ID, an amount or a time. */
export const isWaitForNamed = (wait: Pick<WaitToTell, 'waiting_for'>): boolean => kindOf(wait)?.isNamed === true;

/** The kinds of waits that may end when a budget or room becomes free. */
export const waitsThatEndWith = (freed: 'budget' | 'room'): readonly WaitKind[] =>
  waitKinds.filter((kind) => kindOf({ waiting_for: kind })?.endsWith?.includes(freed));
