/**
 * The times in a reply, `not_before` and `instance_not_before`: from when on its project lets instances be impacted.
 * Which ones are taken: rules/questions/refuse-times.ts. What they mean in the session: answered-times.ts.
 */

export interface ReplyTimes {
  /** For all instances that the question is about. Milliseconds. */
  readonly notBeforeMs?: number;
  /** For single instances, by their IDs; each counts before the time for all. Milliseconds. */
  readonly instanceNotBeforeMs: Readonly<Record<string, number>>;
}

/** Undefined: there is no time for the instance. */
export const timeFor = (times: ReplyTimes | undefined, instanceId: string): number | undefined =>
  times?.instanceNotBeforeMs[instanceId] ?? times?.notBeforeMs;
