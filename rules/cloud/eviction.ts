/**
 * The field `eviction` of a create request: what becomes of instances that the cloud keeps unless somebody says
 * otherwise. What a session says counts, and where it says nothing, the setting of the service.
 */

export type KeepOrDelete = 'keep' | 'delete';

/**
 * - unmanagedPods: instances that nothing makes again.
 * - localData: instances with data that is on their host alone, and those that no other host could take.
 * - forced: instances whose eviction is refused, or takes too long.
 */
export type EvictionOption = 'unmanagedPods' | 'localData' | 'forced';

type Choices = { readonly [Option in EvictionOption]?: KeepOrDelete };

/** What a session says. */
export interface Eviction extends Choices {
  /** The time, from the start of the drain of their host, in which instances that end by themselves may do that. */
  readonly completeWithinSeconds?: number;
}

/** These options count where a session says nothing. */
export type EvictionDefaults = Readonly<Record<EvictionOption, KeepOrDelete>>;
