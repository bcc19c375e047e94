/**
 * The events of a fleet, in the order in which they happened: of a run in virtual time, or of real sessions, several
 * of them merged. It shares no code with rules/decisions/. Times are seconds of one clock.
 *
 * The events, with their fields:
 * - notify: instance, or instances (a project-wide question, which impacts nobody); lead, where the window is not the
 *   instance's own. reply: instance or instances; answer NACK, where it gives no leave.
 * - put_off: instance; seconds, for which its project lets nobody impact it, from then on; left out: not any more.
 * - grant: instance. It was given leave to be asked, which impacts it already. withdraw: instance. Its question led to
 *   no action; the group recovers from having been asked.
 * - move_start: instance, from, to, action; forced, where it takes the place of a move that was given up.
 *   move_end: instance; stayed, where it did not come through.
 * - disable, enable, maintenance_start: host. maintenance_end: host; broken, where the work on it was not completed.
 * - appear: as (a TracedInstance); replaces, where its project puts it in the place of another. vanish: instance.
 *   displace: instance, to; nobody of ours did it.
 * - limits: as (a TracedGroup; of a group of the cloud's own only maxPerHost counts). constraints: as (a
 *   TracedInstance, where it is does not matter).
 * - done: the last one.
 */
export interface TraceEvent {
  readonly t: number;
  readonly event: string;
  readonly [field: string]: unknown;
}

export interface TracedHost {
  readonly name: string;
  readonly type: 'compute' | 'controller';
  readonly isCompute: boolean;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Further resources by name; left out: none. */
  readonly amounts?: Readonly<Record<string, number>>;
  /** Words that instances may need; left out: none. */
  readonly labels?: readonly string[];
  /** Before any session: it stays so. */
  readonly disabled: boolean;
  /** The least that its maintenance takes; undefined where nobody knows. */
  readonly maintenanceSeconds?: number;
}

export interface TracedGroup {
  readonly id: string;
  readonly maxImpactedMembers: number;
  /** Set where the limit is a share of the members there are, one at least. */
  readonly impactShare?: number;
  readonly recoverySeconds: number;
  /** Set for an anti-affinity group. */
  readonly maxPerHost?: number;
}

export interface TracedInstance {
  readonly id: string;
  readonly groupId: string;
  /** Groups of the cloud's own that it is a member of; they limit beside its group. */
  readonly cloudGroupIds?: readonly string[];
  /** The host of the instance when the trace begins, or when the instance appears. */
  readonly host: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Further resources by name; left out: none. */
  readonly amounts?: Readonly<Record<string, number>>;
  /** Labels that its host must have; left out: none. */
  readonly needs?: readonly string[];
  /** The one action it takes; undefined where its project may choose. */
  readonly action?: string;
  /** 0: it is not asked. undefined: it is asked, and the question names its window. */
  readonly leadSeconds?: number;
  /** The least that a move takes; undefined where nobody knows. */
  readonly moveSeconds?: number;
  /** The least that its manager takes to reply, null: it never does; undefined where nobody knows. */
  readonly readySeconds?: number | null;
}

export interface TracedSession {
  readonly hosts: readonly string[];
  /** True when the session ended well; a session that failed or was deleted need not be complete. */
  readonly isDone: boolean;
  /** Hosts that it went on without, since they failed or were skipped; left out: none. */
  readonly leftOut?: readonly string[];
}

export interface Trace {
  readonly hosts: readonly TracedHost[];
  readonly groups: readonly TracedGroup[];
  readonly instances: readonly TracedInstance[];
  readonly sessions: readonly TracedSession[];
  readonly events: readonly TraceEvent[];
}

/**
 * R1 lead time, R2 impact, R3 capacity, R4 anti-affinity, R5 hosts, R6 completeness and form of what is done, R7
 * physics and form of the trace, R8 controllers, R9 what an instance needs of its host, R10 the times of owners.
 */
export type Rule = 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | 'R6' | 'R7' | 'R8' | 'R9' | 'R10';

export interface Violation {
  readonly rule: Rule;
  readonly t: number;
  readonly what: string;
}
