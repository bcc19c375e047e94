/**
 * The words of every reason to wait, in the terminal and in the browser, for events and for the log: who can end the
 * wait, and what would help. A kind is added here and to reason.ts, and to the table of its test.
 */
import { helpForAnswer, orSkip } from '../obstacles/blocker';
import { helpForRight } from '../obstacles/missing-right';
import type { Owned, Owner } from '../obstacles/owner';
import { withShortIds } from '../words/names';
import type { Reason, WaitKind } from './reason';

/** A reason as the API tells it. */
export interface ReasonToTell {
  readonly waiting_for: string;
  readonly subject: string;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly who?: string;
  readonly because?: string | null;
  readonly help?: string | null;
  readonly owner?: Owner;
  readonly project_contact?: string;
  readonly limit?: LimitToTell;
}

interface LimitToTell {
  readonly max: number;
  readonly kept_by?: string;
  readonly occupied: number;
  readonly occupied_by: readonly string[];
}

interface KindOfWait {
  /**
   * Told where the reason itself has no owner. service: the wait ends by itself, with the work of this or another
   * session.
   */
  readonly owner: Owner | ((wait: ReasonToTell) => Owner);
  /** A noun that follows "waits for". */
  readonly words: (name: string, wait: ReasonToTell) => string;
  /** True where the words are too general without `because`, which follows them. */
  readonly isSaidWithReason?: true;
  /** Told where the reason itself has no help. */
  readonly help?: string | ((wait: ReasonToTell) => string);
  /** True when the subject is a name that people know. */
  readonly isNamed?: true;
}

/** A webhook gives the reason: that it has not taken the question. */
const isWebhook = ({ because }: ReasonToTell): boolean => (because ?? '') !== '';

const projectElseOperator = ({ subject_id: projectId }: ReasonToTell): Owner =>
  projectId === null ? 'operator' : 'project';

/** The kinds in the order in which the API lists them. */
const kinds = {
  group: {
    owner: 'service',
    words: (name) => `group ${name}, which is at its limit`,
    help: ({ limit }) =>
      limit?.kept_by === 'cloud'
        ? 'other members come back, or the owner of this limit in the cloud lets more of them be away'
        : 'other members come back, or the project raises max_impacted_members',
    isNamed: true,
  },
  room: {
    owner: projectElseOperator,
    words: (name, { subject_name: project }) =>
      project === null ? `capacity: ${name}` : `capacity that project ${name} frees`,
    help: orSkip('free capacity, enable a host'),
  },
  affinity: {
    owner: 'project',
    words: (name) => `a host that suits group ${name}`,
    isNamed: true,
  },
  answer: {
    owner: 'project',
    words: (name) => `the answer of project ${name}`,
    help: helpForAnswer,
  },
  owner_time: {
    owner: 'project',
    words: (name) => `the time that project ${name} has set`,
    help: 'the time comes; until then the project may reply with an earlier one',
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
  },
  members: {
    owner: 'project',
    words: (name) => `members of group ${name} to serve again`,
    isNamed: true,
  },
  host: {
    owner: 'service',
    words: (name, { subject, subject_id: movingId, who }) => {
      if (subject === who || subject === 'turn') return 'its turn';
      return movingId === null ? `its turn, after host ${name}` : `the move of ${name}`;
    },
    help: 'its turn comes; parley hosts first lets it come sooner',
    isNamed: true,
  },
  place: {
    owner: 'service',
    words: (name, { subject }) =>
      subject === 'turn' ? 'the places that other hosts free' : `the place that host ${name} frees`,
    help: 'nothing has to be done: its turn comes then; parley hosts first lets it come sooner',
    isNamed: true,
  },
  target: {
    owner: 'service',
    words: (name) => `another target than host ${name}, which takes no instances now`,
    help: 'nothing has to be done: the next decision chooses a target anew',
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
  resume: {
    owner: 'admin',
    words: () => 'the resume of the session',
    isSaidWithReason: true,
    help: 'parley resume',
  },
  state: {
    owner: 'operator',
    words: () => 'another state of an instance',
    isSaidWithReason: true,
  },
  move: {
    owner: 'service',
    words: (name) => `the cloud to carry out a move from host ${name}`,
    isSaidWithReason: true,
    help: 'it is tried again by itself; if it lasts, put right what the cloud names',
  },
  content: {
    owner: 'operator',
    words: () => 'the host to be free for work',
    isSaidWithReason: true,
  },
  right: {
    owner: 'operator',
    words: (name) => `the right ${name} in the cloud`,
    isSaidWithReason: true,
    help: helpForRight,
  },
  start: {
    owner: 'operator',
    words: (name) => `host ${name} to be back`,
    isSaidWithReason: true,
    help: 'start it and its services; a host that is not up in time has failed',
  },
  release: {
    owner: 'admin',
    words: () => 'a person',
    isSaidWithReason: true,
    help: 'do the work, then parley release',
  },
} as const satisfies Readonly<Record<WaitKind, KindOfWait>>;

const isWaitKind = (kind: string): kind is WaitKind => Object.hasOwn(kinds, kind);

export const waitKinds: readonly WaitKind[] = Object.keys(kinds).filter(isWaitKind);

/** undefined: a newer service tells it to an older command line or page. */
const kindOf = ({ waiting_for: kind }: Pick<ReasonToTell, 'waiting_for'>): KindOfWait | undefined =>
  isWaitKind(kind) ? kinds[kind] : undefined;

const wordsOf = (wait: ReasonToTell): string => {
  const [kind, name] = [kindOf(wait), wait.subject_name ?? wait.subject];
  if (kind === undefined) return `${wait.waiting_for} ${name}`;
  const noun = kind.words(name, wait);
  return kind.isSaidWithReason && wait.because ? `${noun}: ${wait.because}` : noun;
};

/** Follows "waits for". */
export const inWords = (wait: ReasonToTell): string => withShortIds(wordsOf(wait));

/** The same for an event or the log: before names are known, and with whole IDs and the help. */
export const inFullWords = ({ waitingFor, who, subject, because, help }: Reason): string => {
  const wait = { waiting_for: waitingFor, who, subject, subject_id: null, subject_name: null };
  const words = wordsOf({ ...wait, ...(because !== undefined && { because }) });
  return help === undefined ? words : `${words}; ${help}`;
};

/** The cloud's words, unless `inWords` says them, and who occupies the limit; undefined: nothing more is known. */
export const furtherReason = (wait: ReasonToTell): string | undefined => {
  const because = withShortIds(wait.because ?? '');
  const further = [
    ...(inWords(wait).includes(because) ? [] : [because]),
    ...(wait.limit ? [withShortIds(limitInWords(wait, wait.limit))] : []),
  ];
  return further.length === 0 ? undefined : further.join('; ');
};

const limitInWords = (
  { waiting_for: kind }: Pick<ReasonToTell, 'waiting_for'>,
  { max, occupied, occupied_by: first }: LimitToTell,
): string => {
  const more = occupied - first.length;
  const named = [...first, ...(more > 0 && first.length > 0 ? [`${String(more)} more`] : [])].join(', ');
  const counts = `${String(occupied)} ${occupied === 1 ? 'counts' : 'count'} against it now`;
  const where = kind === 'affinity' ? ' on each host' : '';
  return `the limit is ${String(max)}${where}, and ${counts}${named === '' ? '' : `: ${named}`}`;
};

export const ownerOfWait = (wait: ReasonToTell): Owner => {
  const owner = wait.owner ?? kindOf(wait)?.owner ?? 'service';
  return typeof owner === 'string' ? owner : owner(wait);
};

/** The owner of a wait with its project, where the wait is for one. */
export const ownedWait = (wait: ReasonToTell): Owned => ({
  owner: ownerOfWait(wait),
  ...(isWaitForNamed(wait) ? {} : { project_id: wait.subject_id, project_name: wait.subject_name }),
  ...(wait.project_contact !== undefined && { project_contact: wait.project_contact }),
});

export const helpForWait = (wait: ReasonToTell): string | undefined => {
  const help = wait.help ?? kindOf(wait)?.help;
  return typeof help === 'function' ? help(wait) : help;
};

/** True when the subject of such a wait is a name, not an ID, an amount or a time. */
export const isWaitForNamed = (wait: Pick<ReasonToTell, 'waiting_for'>): boolean => kindOf(wait)?.isNamed === true;

/** True when its time is the one that the plan foretells, not the latest one. */
export const isTurn = ({ waiting_for: kind }: Pick<ReasonToTell, 'waiting_for'>): boolean =>
  kind === 'host' || kind === 'place';
