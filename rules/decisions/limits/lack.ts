/** The reasons why an instance finds no place; the words for them are in rules/obstacles/no-place.ts. */
import type { Spread } from '../../cloud/spread';
import { orSkip } from '../../obstacles/blocker';
import type { HostsTried } from '../../obstacles/hosts-tried';
import { missingPlace, type NoCapacity, noPlaceCause } from '../../obstacles/no-place';
import { groupSubject, type LimitNow, type Reason } from '../../reasons/reason';
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
  /** Every target that suits it holds as many members as it may, by this or another limit; `now`: on those targets. */
  | (LackOfHost & { readonly kind: 'affinity'; readonly limit: Group; readonly now: LimitNow })
  /** One of its spreads keeps it from every target that suits it; `limit`: its own group. */
  | (LackOfHost & { readonly kind: 'spread'; readonly spread: Spread; readonly limit: Group })
  /** The cloud refused it on the targets that are left. */
  | { readonly kind: 'refused'; readonly instance: Instance; readonly refusals: readonly Refusal[] };

/**
 * The reason for whatever waits because of a lack, the instance, another one on the same host, or the host: at most
 * until the refusals have passed.
 */
export const lackReason = (lack: Lack, who: string, nowMs: number): Reason => {
  const leftMs = untilPassed('refusals' in lack ? lack.refusals : [], nowMs);
  const cause = noPlaceCause(lack);
  return { ...reasonOf(lack, who), ...cause, help: orSkip(cause.help), untilMs: leftMs && nowMs + leftMs };
};

const reasonOf = (lack: Lack, who: string): Reason => {
  switch (lack.kind) {
    case 'room':
      return { waitingFor: 'room', who, subject: missingPlace(lack) };
    case 'affinity':
      return { waitingFor: 'affinity', who, ...groupSubject(lack.limit), limit: lack.now };
    case 'spread':
      return { waitingFor: 'affinity', who, ...groupSubject(lack.limit) };
    case 'refused':
      return { waitingFor: 'host', who, subject: lack.refusals.map(({ target }) => target).join(', ') };
  }
};
