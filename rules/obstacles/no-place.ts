/** Why an instance finds no place on another host now: the words for whoever waits, for a plan, and for a failure. */
import { amountWords } from '../words/amount-words';
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
export interface NoCapacity {
  readonly kind: 'room';
  readonly missing: Readonly<Record<string, number>>;
  /** Everything that a host must have for the instance besides, in words. */
  readonly wanted: readonly string[];
  readonly hasNoTarget?: true;
  /** The number of targets that lack each of what is wanted, as words tell it. */
  readonly unfit: ReadonlyMap<string, number>;
  /** The refusals of targets that are left out for it. */
  readonly refusals?: readonly RefusedTarget[];
}

type NoPlace =
  | (NoCapacity & { readonly instance: NamedInstance })
  | { readonly kind: 'affinity'; readonly instance: NamedInstance; readonly limit: FullGroup }
  | { readonly kind: 'refused'; readonly instance: NamedInstance; readonly refusals: readonly RefusedTarget[] };

/** The reason for whatever waits because of it: the instance, another one on the same host, or the host. */
export const reasonWithoutPlace = (lack: NoPlace, who: string): Waiting => {
  const waitingFor = lack.kind === 'refused' ? 'host' : lack.kind;
  const reason: Waiting = { waitingFor, who, ...subjectOf(lack) };
  const refusals = lack.kind === 'affinity' ? [] : (lack.refusals ?? []);
  const because = [...(refusals.length > 0 ? [refusalWords(refusals)] : []), ...unfitWords(lack, reason.subject)];
  return { ...reason, ...(because.length > 0 && { because: because.join('; ') }) };
};

/** The hosts that were tried, by what they lack: "4 vcpus on a host with zone a; 2 hosts lack zone a". */
const unfitWords = (lack: NoPlace, subject: string): readonly string[] => {
  if (lack.kind !== 'room' || lack.unfit.size === 0) return [];
  const lacking = [...lack.unfit].map(
    ([lacks, hosts]) => `${hosts} ${hosts === 1 ? 'host lacks' : 'hosts lack'} ${lacks}`,
  );
  return [subject, ...lacking];
};

/** The words for the lack: capacity on one host, any host at all, or the group whose anti-affinity leaves no host. */
const subjectOf = (lack: NoPlace): Pick<Waiting, 'subject' | 'subjectId'> => {
  if (lack.kind === 'refused') return { subject: lack.refusals.map(({ target }) => target).join(', ') };
  if (lack.kind === 'affinity') return groupSubject(lack.limit);
  return { subject: [amountWords(lack.missing), ...whereWords(lack)].filter((words) => words !== '').join(' on ') };
};

/** The group for which something waits: its name and its ID, when it has a name. */
export const groupSubject = ({ id, name }: Pick<FullGroup, 'id' | 'name'>): Pick<Waiting, 'subject' | 'subjectId'> =>
  id === undefined || id === name ? { subject: name } : { subject: name, subjectId: id };

const whereWords = ({ hasNoTarget, wanted }: NoCapacity): readonly string[] => {
  if (hasNoTarget) return [`another enabled compute host${having(wanted)}`];
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
      return affinityWords(who, lack.limit);
    case 'refused':
      return {
        owner: 'operator',
        why: `${who} has no target that the cloud allows: ${refusalWords(lack.refusals)}`,
        help: 'change what keeps it from there, or add or enable a compute host',
      };
  }
};

const roomWords = (who: string, { hasNoTarget, missing, wanted, refusals }: NoCapacity): NoPlaceWords => {
  const host = `host${having(wanted)}`;
  const waits = `${who} waits for capacity:`;
  if (hasNoTarget) {
    return { owner: 'operator', why: `${waits} there is no other enabled compute ${host}`, help: 'add or enable one' };
  }
  const refused = refusals ? `; ${refusalWords(refusals)}` : '';
  return {
    owner: 'operator',
    why: `${waits} ${amountWords(missing)} missing on the ${host} that comes closest${refused}`,
    help: 'free that much there, or add or enable a compute host',
  };
};

const affinityWords = (
  who: string,
  { name, key, id = key, maxInstancesPerHost, isOfCloud }: FullGroup,
): NoPlaceWords => {
  const most = String(maxInstancesPerHost);
  const help = 'scale the group in, or add or enable a compute host';
  const waits = `${who} waits for affinity:`;
  if (isOfCloud) {
    const limit = `the limit of ${name}, which lets ${most} of its members share a host,`;
    return { owner: 'project', why: `${waits} ${limit} is reached on every compute host`, help };
  }
  const limit = `max_instances_per_host ${most} of group ${name} (${id})`;
  return { owner: 'project', why: `${waits} ${limit} is reached on every compute host`, help: `raise it, ${help}` };
};
