/** Why an instance finds no place on another host now: the words for whoever waits, for a plan, and for a failure. */
import { amountWords } from '../words/amount-words';
import { type HostsTried, unfitWords } from './hosts-tried';
import { having, instanceWords, type NamedInstance } from './immovable';
import type { Waiting } from './waits';

interface RefusedTarget {
  readonly target: string;
  readonly reason: string;
}

interface FullGroup {
  readonly key: string;
  readonly name: string;
  readonly id?: string;
  readonly maxInstancesPerHost?: number;
  readonly isOfCloud?: boolean;
}

/** Capacity on the target that comes closest; all that it needs where no other host takes instances. */
export interface NoCapacity extends HostsTried {
  readonly kind: 'room';
  readonly missing: Readonly<Record<string, number>>;
  /** Everything that a host must have for the instance besides, in words. */
  readonly wanted: readonly string[];
  /** The name of the target that misses the least. Left out: there is no target that it may go to. */
  readonly closest?: string;
  /** The refusals of targets that are left out for it. */
  readonly refusals?: readonly RefusedTarget[];
  readonly tooMany?: TooManyAway;
}

/** Fewer may be away at once than have no place until their host is back. */
interface TooManyAway {
  readonly limit: FullGroup & { readonly maxImpactedMembers: number };
}

interface NoHostLeft extends HostsTried {
  readonly instance: NamedInstance;
  readonly tooMany?: TooManyAway;
}

interface ByAffinity extends NoHostLeft {
  readonly kind: 'affinity';
  readonly limit: FullGroup;
}

interface BySpread extends NoHostLeft {
  readonly kind: 'spread';
  /** `name`: in words that follow "its". */
  readonly spread: { readonly name: string };
  /** Its own group. */
  readonly limit: FullGroup;
}

type NoPlace =
  | (NoCapacity & { readonly instance: NamedInstance })
  | ByAffinity
  | BySpread
  | { readonly kind: 'refused'; readonly instance: NamedInstance; readonly refusals: readonly RefusedTarget[] };

/** The reason for whatever waits because of it: the instance, another one on the same host, or the host. */
export const reasonWithoutPlace = (lack: NoPlace, who: string): Waiting => {
  const reason: Waiting = { waitingFor: waitsFor[lack.kind], who, ...subjectOf(lack) };
  const refusals = 'refusals' in lack ? lack.refusals : [];
  const because = [...(refusals.length > 0 ? [refusalWords(refusals)] : []), ...triedWords(lack, reason.subject)];
  return { ...reason, ...(because.length > 0 && { because: because.join('; ') }) };
};

const waitsFor = { room: 'room', affinity: 'affinity', spread: 'affinity', refused: 'host' } as const;

/** The hosts that were tried: "4 vcpus on a host with zone a; host b comes closest; hosts c and d lack zone a". */
const triedWords = (lack: NoPlace, subject: string): readonly string[] => {
  if (lack.kind === 'refused') return [];
  const lacking = unfitWords(lack);
  if (lack.kind === 'affinity') return [...lacking, ...tooManyWords(lack)];
  if (lack.kind === 'spread') return spreadReasons(lack);
  const closest = lack.closest === undefined ? [] : [`host ${lack.closest} comes closest`];
  const tried = [...closest, ...lacking, ...tooManyWords(lack)];
  return tried.length === 0 ? [] : [subject, ...tried];
};

/** The words for the lack: capacity on one host, any host at all, or the group whose anti-affinity leaves no host. */
const subjectOf = (lack: NoPlace): Pick<Waiting, 'subject' | 'subjectId'> => {
  if (lack.kind === 'refused') return { subject: lack.refusals.map(({ target }) => target).join(', ') };
  if (lack.kind === 'affinity' || lack.kind === 'spread') return groupSubject(lack.limit);
  return { subject: [amountWords(lack.missing), ...whereWords(lack)].filter((words) => words !== '').join(' on ') };
};

/** The group for which something waits: its name and its ID, when it has a name. */
export const groupSubject = ({ id, name }: Pick<FullGroup, 'id' | 'name'>): Pick<Waiting, 'subject' | 'subjectId'> =>
  id === undefined || id === name ? { subject: name } : { subject: name, subjectId: id };

const whereWords = ({ closest, wanted }: NoCapacity): readonly string[] => {
  if (closest === undefined) return [`another enabled compute host${having(wanted)}`];
  return wanted.length === 0 ? [] : [`a host${having(wanted)}`];
};

const mostRefusalsTold = 3;

/** Tells the first few refusals in the cloud's words. */
const refusalWords = (refusals: readonly RefusedTarget[]): string => {
  const told = refusals.slice(0, mostRefusalsTold).map(({ target, reason }) => `host ${target} refused it: ${reason}`);
  const more = refusals.length - told.length;
  return [...told, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('; ');
};

/** Why an instance finds no place, who can do something about it, and what would help. */
export interface NoPlaceWords {
  readonly owner: 'operator' | 'project';
  readonly why: string;
  readonly help: string;
}

/** The failure of a session; plans say the same. */
export const cannotBeDrained = (hostname: string, lack: NoPlace): string => {
  const { why, help } = noPlaceWords(lack);
  return `host ${hostname} cannot be drained: ${why}; ${help}`;
};

export const noPlaceWords = (lack: NoPlace): NoPlaceWords => {
  const who = instanceWords(lack.instance);
  switch (lack.kind) {
    case 'room':
      return roomWords(who, lack);
    case 'affinity':
      return affinityWords(who, lack);
    case 'spread':
      return spreadWords(who, lack);
    case 'refused':
      return {
        owner: 'operator',
        why: `${who} has no target that the cloud allows: ${refusalWords(lack.refusals)}`,
        help: 'change what keeps it from there, or add or enable a compute host',
      };
  }
};

const roomWords = (who: string, lack: NoCapacity): NoPlaceWords => {
  const { closest, missing, wanted, refusals, tooMany } = lack;
  const waits = `${who} waits for capacity:`;
  const others = [...(refusals ? [refusalWords(refusals)] : []), ...unfitWords(lack)].map((words) => `; ${words}`);
  if (tooMany) {
    const why = [`${who} can go to no other host`, ...unfitWords(lack), ...tooManyWords(lack)].join('; ');
    const help = `let ${tooMany.limit.name} let more of them be away at once, or add a compute host that may take it`;
    return { owner: 'project', why, help };
  }
  if (closest === undefined) {
    const why = `${waits} there is no other enabled compute host${having(wanted)}${others.join('')}`;
    return { owner: 'operator', why, help: 'add or enable one' };
  }
  const among = wanted.length === 0 ? '' : ` of those${having(wanted)}`;
  return {
    owner: 'operator',
    why: `${waits} ${amountWords(missing)} missing on host ${closest}, which comes closest${among}${others.join('')}`,
    help: 'free that much there, or add or enable a compute host',
  };
};

const affinityWords = (who: string, lack: ByAffinity): NoPlaceWords => {
  const { limit, unfit } = lack;
  const { name, key, id = key, maxInstancesPerHost, isOfCloud } = limit;
  const most = String(maxInstancesPerHost);
  const help = 'scale the group in, or add or enable a compute host';
  const waits = `${who} waits for affinity:`;
  const where = ['is reached on every compute host', ...unfitWords({ unfit }), ...tooManyWords(lack)].join('; ');
  if (isOfCloud) {
    const told = `the limit of ${name}, which lets ${most} of its members share a host,`;
    return { owner: 'project', why: `${waits} ${told} ${where}`, help };
  }
  const told = `max_instances_per_host ${most} of group ${name} (${id})`;
  return { owner: 'project', why: `${waits} ${told} ${where}`, help: `raise it, ${help}` };
};

const spreadWords = (who: string, lack: BySpread): NoPlaceWords => {
  const help = 'ask its project to relax the rule, scale in, or raise max_impacted_members; or add a compute host';
  return { owner: 'project', why: `${who} waits for affinity: ${spreadReasons(lack).join('; ')}`, help };
};

const spreadReasons = (lack: BySpread): readonly string[] => [
  `its ${lack.spread.name} lets it go to no other host`,
  ...unfitWords(lack),
  ...tooManyWords(lack),
];

/** Instances that leave without a place come back with their host: together they have to be within each limit. */
const tooManyWords = ({ tooMany }: Pick<NoHostLeft, 'tooMany'>): readonly string[] =>
  tooMany === undefined ? [] : [tooManyAway(tooMany.limit)];

export const tooManyAway = ({ name, maxImpactedMembers }: TooManyAway['limit']): string =>
  `${name} allows ${String(maxImpactedMembers)} ${maxImpactedMembers === 1 ? 'member' : 'members'} away at a time, ` +
  'but more of its members are on this host and would be away together';
