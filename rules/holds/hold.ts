/**
 * The action plug-in `hold`: a person works on the host, and the session waits with the host in hand until a release
 * tells how the work has ended.
 */

/** The name of the action plug-in. */
export const nameOfHold = 'hold';

export const holdOutcomes = ['done', 'failed'] as const;
export type HoldOutcome = (typeof holdOutcomes)[number];

/** A release by a person. */
export interface Release {
  readonly outcome: HoldOutcome;
  /** For the record; empty: none. */
  readonly note: string;
}

/** The terms of a hold, as the action's metadata gives them. */
export interface HoldTerms {
  /** The work of the person, in words that follow "waits for a person:"; empty: nobody said. */
  readonly task: string;
  /** Seconds after which people are told again, each time; undefined: they are told once. */
  readonly remindSeconds?: number;
  /** Seconds after which the host fails; undefined: never. */
  readonly failSeconds?: number;
}

/** A hold of one host, as its row keeps it. Times are in milliseconds. */
export interface HostHold extends HoldTerms {
  /** The position of the action in its session. */
  readonly position: number;
  readonly sinceMs: number;
  /** The time when people were told last. */
  readonly toldAtMs: number;
  readonly release?: Release;
}

export type JudgedHold = { readonly terms: HoldTerms } | { readonly fault: string };

const longestTask = 500;

/** Reads the metadata of a `hold`. */
export const judgeHold = (metadata: Readonly<Record<string, unknown>>): JudgedHold => {
  const { task = '', remind_seconds: remindSeconds, fail_seconds: failSeconds, ...others } = metadata;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return { fault: `${unknown} is not known: hold takes task, remind_seconds, fail_seconds` };
  if (typeof task !== 'string' || task.length > longestTask) {
    return { fault: `task must be a text of at most ${longestTask} characters` };
  }
  if (!isSecondsOrNothing(remindSeconds)) return { fault: `remind_seconds ${mustBeSeconds}` };
  if (!isSecondsOrNothing(failSeconds)) return { fault: `fail_seconds ${mustBeSeconds}` };
  return {
    terms: {
      task,
      ...(remindSeconds !== undefined && { remindSeconds }),
      ...(failSeconds !== undefined && { failSeconds }),
    },
  };
};

/** A year. */
const mostSeconds = 31_536_000;
const mustBeSeconds = `must be a number of seconds from 1 to ${mostSeconds}`;

const isSecondsOrNothing = (value: unknown): value is number | undefined =>
  value === undefined || (typeof value === 'number' && value >= 1 && value <= mostSeconds);

/** remind: people are told again. */
export type StepOfHold =
  | { readonly kind: 'done'; readonly state: string }
  | { readonly kind: 'failed'; readonly because: string }
  | { readonly kind: 'remind' }
  | { readonly kind: 'wait' };

/** A release counts also where it came after the time of the hold, as long as nobody has acted on that time. */
export const stepOfHold = (hold: HostHold, nowMs: number): StepOfHold => {
  const { release, failSeconds } = hold;
  if (release?.outcome === 'done') return { kind: 'done', state: `released${noted(release.note)}` };
  if (release?.outcome === 'failed') {
    return { kind: 'failed', because: `a person said so at the release${noted(release.note)}` };
  }
  if (nowMs >= endsAtMs(hold)) return { kind: 'failed', because: `nobody released the host within ${failSeconds} s` };
  return nowMs >= remindsAtMs(hold) ? { kind: 'remind' } : { kind: 'wait' };
};

const noted = (note: string): string => (note === '' ? '' : `: ${note}`);

/** The time when the hold fails its host; Infinity: never. */
export const endsAtMs = ({ sinceMs, failSeconds }: HostHold): number => after(sinceMs, failSeconds);

const remindsAtMs = ({ toldAtMs, remindSeconds }: HostHold): number => after(toldAtMs, remindSeconds);

const after = (fromMs: number, seconds: number | undefined): number =>
  seconds === undefined ? Infinity : fromMs + seconds * 1000;

/** What is due may have to wait, such as for the cloud to tell what is on the host. */
const leastMs = 5_000;

/** The time until the hold has to be looked at, where nobody releases the host before. */
export const untilDueMs = (hold: HostHold, nowMs: number): number =>
  Math.max(leastMs, Math.min(endsAtMs(hold), remindsAtMs(hold)) - nowMs);

export type ReleaseDecision =
  { readonly kind: 'change'; readonly hold: HostHold } | { readonly kind: 'already' } | { readonly kind: 'notHeld' };

/** True while a person may be at work: nobody puts the host back to use. */
export const isHeld = (hold: HostHold | null): hold is HostHold => hold !== null && hold.release === undefined;

/**
 * A repeated release is no error: a caller who did not get the answer asks again. The first one counts. The phase of
 * the host does not matter: its session may have been aborted, or the host has failed, behind the back of the person.
 */
export const decideRelease = (hold: HostHold | null, release: Release): ReleaseDecision => {
  if (hold === null) return { kind: 'notHeld' };
  return hold.release === undefined ? { kind: 'change', hold: { ...hold, release } } : { kind: 'already' };
};
