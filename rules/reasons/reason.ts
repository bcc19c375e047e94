/**
 * Why a host, an instance or a session waits. A decision finds one reason for each that waits, and the session's row
 * keeps it; who reads it only subtracts the clock. Where a fact is in the way, the reason has the cause as blockers and
 * failures tell it (rules/obstacles/); else its kind tells owner and help (in-words.ts).
 */

import type { Cause } from '../obstacles/blocker';

type NotedCause = { readonly [Field in keyof Cause]?: Cause[Field] | undefined };

/** A limit that holds something back, and who occupies it now. */
export interface LimitNow {
  /** The value of max_impacted_members, max_instances_per_host or max_parallel_hosts, or of the cloud's own limit. */
  readonly max: number;
  /** The number that counts against it now; for max_instances_per_host on all hosts that hold as many as they may. */
  readonly occupied: number;
  /** Set where the cloud keeps it, such as a PodDisruptionBudget: no constraint of a project has its value. */
  readonly isOfCloud?: true | undefined;
  /** The first of those: IDs of instances, or names of hosts. Shorter where nobody knows them all. */
  readonly occupiedBy: readonly string[];
}

interface Waits extends NotedCause {
  /** The name of the host or the ID of the instance that waits; the ID of the session where no host waits any more. */
  readonly who: string;
  /** The time since when the reason is there, in milliseconds. Left out: since a decision first found it. */
  readonly sinceMs?: number | undefined;
  /** The latest end of the wait, when it is known, in milliseconds. */
  readonly untilMs?: number | undefined;
}

/** A group: its budget, the recovery of its members, their health, or its anti-affinity. */
export interface ReasonOfGroup extends Waits {
  readonly waitingFor: 'group' | 'recovery' | 'members' | 'affinity';
  /** The group's name. */
  readonly subject: string;
  /** The group's ID, when it has a name. */
  readonly subjectId?: string | undefined;
  readonly limit?: LimitNow | undefined;
}

interface ForRoom extends Waits {
  readonly waitingFor: 'room';
  /** The missing capacity, in words; or the project that frees it. */
  readonly subject: string;
}

/** A project: its answer, the time that it has set, that the bus takes its question, or what follows from silence. */
interface ForProject extends Waits {
  readonly waitingFor: 'answer' | 'owner_time' | 'bus' | 'service';
  readonly subject: string;
}

interface ForTurn extends Waits {
  readonly waitingFor: 'host';
  /** The host that comes first, or an instance that still leaves. */
  readonly subject: string;
  readonly limit?: LimitNow | undefined;
}

/** A place that another host of the session frees when it is back (by-plan.ts). */
interface ForPlace extends Waits {
  readonly waitingFor: 'place';
  /** The name of that host. */
  readonly subject: string;
}

/** Another target: the one that was chosen takes no instances any more (decisions/limits/before-start.ts). */
interface ForTarget extends Waits {
  readonly waitingFor: 'target';
  /** The name of the host that was chosen. */
  readonly subject: string;
}

interface ForTime extends Waits {
  readonly waitingFor: 'time' | 'window' | 'resume';
  /** The time; for `window`: which window; for `resume`: the time since which the session is paused. */
  readonly subject: string;
}

/** Something that the cloud does not do, or does not tell; or a person who works on the host (release). */
interface ForCloud extends Waits {
  readonly waitingFor: 'state' | 'move' | 'content' | 'right' | 'start' | 'release';
  /**
   * The host. For `state` and `content`: the project where that can put it right. For `right`: the cloud's name of the
   * right.
   */
  readonly subject: string;
}

export type Reason = ReasonOfGroup | ForRoom | ForProject | ForTurn | ForPlace | ForTarget | ForTime | ForCloud;

export type WaitKind = Reason['waitingFor'];

/** The group for which something waits: its name and its ID, when it has a name. */
export const groupSubject = ({
  id,
  name,
}: {
  readonly id?: string;
  readonly name: string;
}): Pick<ReasonOfGroup, 'subject' | 'subjectId'> =>
  id === undefined || id === name ? { subject: name } : { subject: name, subjectId: id };
