/** Why an instance finds no place on another host now: the words for whoever waits, for a plan, and for a failure. */
import { amountWords } from '../words/amount-words';
import type { Cause } from './blocker';
import { type HostsTried, unfitWords } from './hosts-tried';
import { having, instanceWords, type NamedInstance } from './immovable';

interface RefusedTarget {
  readonly target: string;
  readonly reason: string;
}

interface FullGroup {
  readonly key: string;
  readonly name: string;
  readonly id?: string;
  readonly maxInstancesPerHost?: number;
  readonly keptBy: { readonly kind: 'service' | 'cloud' };
}

/** The targets that were tried for it, and why each is left out. */
interface TriedForPlace extends Partial<HostsTried> {
  /** The refusals of targets that are left out for it. */
  readonly refusals?: readonly RefusedTarget[];
  readonly tooMany?: TooManyAway;
}

/** Capacity on the target that comes closest; all that it needs where no other host takes instances. */
export interface NoCapacity extends TriedForPlace {
  readonly kind: 'room';
  readonly missing: Readonly<Record<string, number>>;
  /** Everything that a host must have for the instance besides, in words. */
  readonly wanted: readonly string[];
  /** The name of the target that misses the least. Left out: there is no target that it may go to. */
  readonly closest?: string;
}

/** Fewer may be away at once than have no place until their host is back. */
interface TooManyAway {
  readonly limit: FullGroup & { readonly maxImpactedMembers: number };
}

interface ByAffinity extends TriedForPlace {
  readonly kind: 'affinity';
  readonly limit: FullGroup;
}

interface BySpread extends TriedForPlace {
  readonly kind: 'spread';
  /** `name`: in words that follow "its". */
  readonly spread: { readonly name: string };
  /** Its own group. */
  readonly limit: FullGroup;
}

export type NoPlace = { readonly instance: NamedInstance } & (
  | NoCapacity
  | ByAffinity
  | BySpread
  | (TriedForPlace & { readonly kind: 'refused'; readonly refusals: readonly RefusedTarget[] })
);

/** These words follow those for the lack itself: "hosts c and d lack zone a". */
const triedWords = ({ refusals = [], unfit, tooMany }: TriedForPlace): readonly string[] => [
  ...(refusals.length > 0 ? [refusalWords(refusals)] : []),
  ...(unfit ? unfitWords({ unfit }) : []),
  ...(tooMany ? [tooManyAway(tooMany.limit).because] : []),
];

/** The capacity that is missing, and on which host: "4 vcpus on a host with zone a". */
export const missingPlace = ({ missing, closest, wanted }: NoCapacity): string => {
  const another = closest === undefined ? 'another enabled compute host' : 'a host';
  const where = closest === undefined || wanted.length > 0 ? [`${another}${having(wanted)}`] : [];
  return [amountWords(missing), ...where].filter((words) => words !== '').join(' on ');
};

const mostRefusalsTold = 3;

/** Tells the first few refusals in the cloud's words. */
export const refusalWords = (refusals: readonly RefusedTarget[]): string => {
  const told = refusals.slice(0, mostRefusalsTold).map(({ target, reason }) => `host ${target} refused it: ${reason}`);
  const more = refusals.length - told.length;
  return [...told, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('; ');
};

export const noPlaceCause = (lack: NoPlace): Cause => {
  const who = instanceWords(lack.instance);
  switch (lack.kind) {
    case 'room':
      return roomCause(who, lack);
    case 'affinity':
      return affinityCause(who, lack);
    case 'spread':
      return spreadCause(who, lack);
    case 'refused':
      return {
        owner: 'operator',
        because: `${who} has no target that the cloud allows: ${refusalWords(lack.refusals)}`,
        help: 'change what keeps it from there, or add or enable a compute host',
      };
  }
};

const roomCause = (who: string, lack: NoCapacity): Cause => {
  const { closest, missing, wanted, tooMany } = lack;
  const because = (head: string): string => [`${who} ${head}`, ...triedWords(lack)].join('; ');
  if (tooMany) {
    return { owner: 'project', because: because('can go to no other host'), help: tooManyAway(tooMany.limit).help };
  }
  if (closest === undefined) {
    const none = `waits for capacity: there is no other enabled compute host${having(wanted)}`;
    return { owner: 'operator', because: because(none), help: 'add or enable such a host' };
  }
  const among = wanted.length === 0 ? '' : ` of those${having(wanted)}`;
  return {
    owner: 'operator',
    because: because(
      `waits for capacity: ${amountWords(missing)} missing on host ${closest}, which comes closest${among}`,
    ),
    help: 'free that much there, or add or enable a compute host',
  };
};

const affinityCause = (who: string, lack: ByAffinity): Cause => {
  const { name, key, id = key, maxInstancesPerHost, keptBy } = lack.limit;
  const isOfCloud = keptBy.kind === 'cloud';
  const most = String(maxInstancesPerHost);
  const help = 'scale the group in, or add or enable a compute host';
  const limit = isOfCloud
    ? `the limit of ${name}, which lets ${most} of its members share a host,`
    : `max_instances_per_host ${most} of group ${name} (${id})`;
  const because = [`${who} waits for affinity: ${limit} is reached on every compute host`, ...triedWords(lack)].join(
    '; ',
  );
  return { owner: 'project', because, help: isOfCloud ? help : `raise the limit, ${help}` };
};

const spreadCause = (who: string, lack: BySpread): Cause => {
  const help = 'ask its project to relax the rule, scale in, or raise max_impacted_members; or add a compute host';
  return {
    owner: 'project',
    because: [
      `${who} waits for affinity: its ${lack.spread.name} lets it go to no other host`,
      ...triedWords(lack),
    ].join('; '),
    help,
  };
};

/** Instances that leave without a place come back with their host: together they have to be within each limit. */
export const tooManyAway = ({ name, maxImpactedMembers }: TooManyAway['limit']): Pick<Cause, 'because' | 'help'> => ({
  because:
    `${name} allows ${String(maxImpactedMembers)} ${maxImpactedMembers === 1 ? 'member' : 'members'} away at a time, ` +
    'but more of its members are on this host and would be away together',
  help: `let more members of ${name} be away at once, or add a compute host that may take the instance`,
});
