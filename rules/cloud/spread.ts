/**
 * A spread: the rule of a cloud that instances are even over parts of its fleet, such as zones, or single hosts. It
 * counts how far a part is ahead of the one with the fewest, and puts an instance only where that stays within a limit.
 */

export interface Spread {
  /** The same for all instances that are counted together. */
  readonly key: string;
  /** In words that follow "its", such as `spread over zones`. */
  readonly name: string;
  /** A part may have this many more of them than the one with the fewest. */
  readonly maxSkew: number;
  /** The part that each host is in. A host that is in none takes none of them. */
  readonly partOf: ReadonlyMap<string, string>;
  /** Where there are fewer parts than this, the fewest counts as none. */
  readonly minParts: number;
  /**
   * Set where a host that takes no instances is in no part meanwhile, so that the others level out. Left out: an empty
   * host that is disabled is a part with none.
   */
  readonly onlyTargets?: true;
}
