/** What a look found on a host, or may be there, although the host should be empty. */

/**
 * Something that holds a host, or may hold it, and that is no instance which can be moved away: the cloud's sources
 * disagree about it, or it belongs to a move that is not finished.
 */
export interface HostDoubt {
  /** The instance, as far as a source names one. */
  readonly instanceId?: string;
  /** Who can put it right: whoever operates the cloud, or the project of the instance. */
  readonly owner: 'operator' | 'project';
  /** The project, when it is the owner. */
  readonly projectId?: string;
  /** One sentence: which source knows what. */
  readonly because: string;
  /** One sentence: what the owner can do. */
  readonly help: string;
  /** The mark by which others say that they are at work on the host. */
  readonly mark?: HostMark;
}

export interface HostMark {
  readonly name: string;
  /** The time since when it is there, in milliseconds; left out: nobody tells it. */
  readonly sinceMs?: number;
}

/** The names of the marks among these doubts. */
export const marksAmong = (doubts: readonly HostDoubt[]): readonly string[] =>
  doubts.flatMap(({ mark }) => (mark === undefined ? [] : [mark.name]));

/** The doubts without those by marks of these names. */
export const withoutMarks = (doubts: readonly HostDoubt[], ignored: readonly string[]): readonly HostDoubt[] =>
  doubts.filter(({ mark }) => mark === undefined || !ignored.includes(mark.name));

/** An instance that came to a host on which nothing should be. */
export interface Guest {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
}

/** Findings of a host, as its row keeps them. */
export interface HostFindings {
  readonly doubts: readonly HostDoubt[];
  readonly guests: readonly Guest[];
  /** The time of the look, in milliseconds. */
  readonly lookedAtMs: number;
}

/** Null instead of nothing, as the row has it. */
export const findingsOf = (found: HostFindings): HostFindings | null =>
  found.doubts.length + found.guests.length === 0 ? null : found;

/** Guests that were not there before. */
export const newGuests = (before: HostFindings | null, { guests }: Pick<HostFindings, 'guests'>): readonly Guest[] => {
  const known = new Set(before?.guests.map(({ instanceId }) => instanceId));
  return guests.filter(({ instanceId }) => !known.has(instanceId));
};

/** Doubts in other words than before. */
export const newDoubts = (
  before: HostFindings | null,
  { doubts }: Pick<HostFindings, 'doubts'>,
): readonly HostDoubt[] => {
  const known = new Set(before?.doubts.map(({ because }) => because));
  return doubts.filter(({ because }) => !known.has(because));
};

/** The doubt about a host of whose content the cloud knows nothing; `reason` follows "since". */
export const nothingKnown = (hostname: string, reason: string): HostDoubt => ({
  owner: 'operator',
  because: `nobody knows what is on host ${hostname}, since ${reason}`,
  help: 'repair that part of the cloud',
});
