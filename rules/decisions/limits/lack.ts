/** The reasons why an instance finds no place; the words for them are in rules/obstacles/no-place.ts. */
import type { Spread } from '../../cloud/spread';
import type { HostsTried } from '../../obstacles/hosts-tried';
import { type NoCapacity, reasonWithoutPlace } from '../../obstacles/no-place';
import type { Waiting } from '../../obstacles/waits';
import type { Group, Instance, Refusal } from '../fleet/fleet';
import { untilPassed } from './refusals';

interface LackOfCapacity extends NoCapacity {
  readonly instance: Instance;
  readonly refusals?: readonly Refusal[];
  readonly tooMany?: TooMany;
}

/** The limit by which fewer instances of the host may be away at once than have no place until it is back. */
export interface TooMany {
  readonly limit: Group;
}

interface LackOfHost extends HostsTried {
  readonly instance: Instance;
  /** Left out: the instance may not leave before it has a place. */
  readonly tooMany?: TooMany;
}

/** The reason why an instance finds no place. */
export type Lack =
  | LackOfCapacity
  /** Every target that suits it holds as many members as it may; of several limits that is one. */
  | (LackOfHost & { readonly kind: 'affinity'; readonly limit: Group })
  /** One of its spreads keeps it from every target that suits it; `limit`: its own group. */
  | (LackOfHost & { readonly kind: 'spread'; readonly spread: Spread; readonly limit: Group })
  /** The cloud refused it on the targets that are left. */
  | { readonly kind: 'refused'; readonly instance: Instance; readonly refusals: readonly Refusal[] };

/** The reason for whatever waits because of a lack, with the time until the refusals have passed. */
export const lackReason = (lack: Lack, who: string, nowMs: number): Waiting => {
  const remainingMs = untilPassed('refusals' in lack ? lack.refusals : [], nowMs);
  return { ...reasonWithoutPlace(lack, who), ...(remainingMs !== undefined && { remainingMs }) };
};
