/** A blocker: something that stands in the way of a session, now or later, and what would help. */
import type { Owner } from './owner';

/**
 * The severities in the order of gravity. stops: the session cannot end while it holds. delays: it takes longer, or
 * goes on without a host. note: good to know before.
 */
export const severities = ['stops', 'delays', 'note'] as const;
export type Severity = (typeof severities)[number];

/** now: it holds already. later: it will hold when the session gets there. */
export const blockerTimes = ['now', 'later'] as const;

export const blockerSubjects = ['host', 'instance', 'group', 'project', 'session', 'cloud'] as const;

export interface MissingCapacity {
  readonly amounts: Readonly<Record<string, number>>;
  /** What such a host must have besides, in words. */
  readonly wanted: readonly string[];
  /** The number of hosts that lack it; 0: no other host takes instances. */
  readonly onHosts: number;
}

/** One fact that is in the way. Blockers, reasons to wait and failures all say it by these words. */
export interface Cause {
  /** Who can do something about it. */
  readonly owner: Owner;
  readonly because: string;
  readonly help: string;
}

/** All that a kind of blocker says about its facts. */
export interface BlockerWords extends Cause {
  readonly severity: Severity;
  readonly when: (typeof blockerTimes)[number];
  readonly subject: {
    readonly kind: (typeof blockerSubjects)[number];
    readonly id: string;
    readonly name: string;
  };
  /** The project that owns it, if there is one. */
  readonly projectId?: string | undefined;
  readonly missing?: MissingCapacity;
  /** True where the play of a plan passes over it: the session does not come to its end, whatever the play says. */
  readonly isNotPlayed?: boolean;
}

/** Kinds of blockers, each with the words for its facts. */
export type BlockerKinds = Readonly<Record<string, (facts: never) => BlockerWords>>;

export const aboutHost = (name: string) => ({ subject: { kind: 'host', id: name, name } }) as const;

export const aboutProject = (id: string) =>
  ({ subject: { kind: 'project', id, name: id }, owner: 'project', projectId: id }) as const;

export const aboutInstance = (id: string, name: string) => ({ subject: { kind: 'instance', id, name } }) as const;

/** @param id of the session, or the workflow of one that is not there yet */
export const aboutSession = (id: string) => ({ subject: { kind: 'session', id, name: id } }) as const;

export const aboutCloud = (name: string) => ({ subject: { kind: 'cloud', id: '', name } }) as const;

export const atTime = (ms: number): string => new Date(ms).toISOString();

/** The failure of a host, or of its session. */
export const cannotBeDrained = (hostname: string, { because, help }: Pick<Cause, 'because' | 'help'>): string =>
  `host ${hostname} cannot be drained: ${because}; ${help}`;

/** For a host that is in the session already. */
export const orSkip = (help: string): string =>
  `${help}, or skip the host (POST /v1/maintenance/{session_id}/hosts/{hostname}/skip)`;

export const helpForAnswer =
  'its manager answers (PUT /v1/maintenance/{session_id}/{project_id}), or the default follows when its time is over';

const patch = 'PATCH /v1/maintenance/{session_id}';

/** The help for maintenance windows: one is too short, none comes any more, or nobody can say when one opens. */
export const helpForWindows = {
  tooShort: `make a window longer (${patch})`,
  over: `add dates to windows (${patch})`,
  notKnown: `change windows (${patch}) or freezes (parley freezes list); where a time zone is not known, update Node.js of workers and API`,
} as const;

export const helpForFreeze = `change the freeze (PUT /v1/freezes/{name}), or let the session ignore freezes (${patch}, ignore_freezes)`;

/** @param named the instance, in words */
export const fitsIntoNoHour = (named: string): string => `${named} fits into no hour of its owner`;

export const helpForHours = `the project changes the hours in its terms (PUT /v1/projects/{project_id}/terms), or an admin sets owner_hours (${patch}) or skips the host`;

export const orLeaveOut = (hostname: string): string => `or leave host ${hostname} out of the session`;
