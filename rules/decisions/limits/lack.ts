/** The reasons why an instance finds no place, and the words for them. */
import type { Waiting } from '../../obstacles/waits';
import { amountWords } from '../../words/amount-words';
import type { Amounts } from '../fleet/amounts';
import type { Group, Instance, Refusal } from '../fleet/fleet';
import { groupSubject, having } from './reasons';
import { untilPassed } from './refusals';

interface LackOfCapacity {
  readonly kind: 'room';
  readonly instance: Instance;
  readonly missing: Amounts;
  /** What a host must have for the instance besides, in words (model/classes.ts). */
  readonly wanted: readonly string[];
  readonly hasNoTarget?: true;
  /** The number of targets that lack each of what is wanted, as words tell it. */
  readonly unfit: ReadonlyMap<string, number>;
  /** Of targets that are left out for it. */
  readonly refusals?: readonly Refusal[];
}

/** The reason why an instance finds no place. */
export type Lack =
  /** Capacity on the target that comes closest; all that it needs where no other host takes instances. */
  | LackOfCapacity
  /** Every target holds as many members as it may; of several limits that is one. */
  | { readonly kind: 'affinity'; readonly instance: Instance; readonly limit: Group }
  /** The cloud refused it on the targets that are left. */
  | { readonly kind: 'refused'; readonly instance: Instance; readonly refusals: readonly Refusal[] };

/** The reason for whatever waits because of a lack: an instance, another one on the same host, or the host. */
export const lackReason = (lack: Lack, who: string, nowMs: number): Waiting => {
  const waitingFor = lack.kind === 'refused' ? 'host' : lack.kind;
  const reason: Waiting = { waitingFor, who, ...lackSubject(lack) };
  const refusals = lack.kind === 'affinity' ? [] : (lack.refusals ?? []);
  const because = [...(refusals.length > 0 ? [refusalWords(refusals)] : []), ...unfitWords(lack, reason.subject)];
  const remainingMs = untilPassed(refusals, nowMs);
  return {
    ...reason,
    ...(because.length > 0 && { because: because.join('; ') }),
    ...(remainingMs !== undefined && { remainingMs }),
  };
};

/** The hosts that were tried, by what they lack: "4 vcpus on a host with zone a; 2 hosts lack zone a". */
const unfitWords = (lack: Lack, subject: string): readonly string[] => {
  if (lack.kind !== 'room' || lack.unfit.size === 0) return [];
  const lacking = [...lack.unfit].map(
    ([lacks, hosts]) => `${hosts} ${hosts === 1 ? 'host lacks' : 'hosts lack'} ${lacks}`,
  );
  return [subject, ...lacking];
};

/** The words for the lack: capacity on one host, any host at all, or the group whose anti-affinity leaves no host. */
const lackSubject = (lack: Lack): Pick<Waiting, 'subject' | 'subjectId'> => {
  if (lack.kind === 'refused') return { subject: lack.refusals.map(({ target }) => target).join(', ') };
  if (lack.kind === 'affinity') return groupSubject(lack.limit);
  return { subject: [amountWords(lack.missing), ...whereWords(lack)].filter((words) => words !== '').join(' on ') };
};

const whereWords = ({ hasNoTarget, wanted }: LackOfCapacity): readonly string[] => {
  if (hasNoTarget) return [`another enabled compute host${having(wanted)}`];
  return wanted.length === 0 ? [] : [`a host${having(wanted)}`];
};

const mostRefusalsTold = 3;

/** Tells the first few refusals in the cloud's words. */
const refusalWords = (refusals: readonly Refusal[]): string => {
  const told = refusals.slice(0, mostRefusalsTold).map(({ target, reason }) => `host ${target} refused it: ${reason}`);
  const more = refusals.length - told.length;
  return [...told, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('; ');
};

/** Why an instance finds no place, who can do something about it, and what would help. */
export interface LackWords {
  readonly owner: 'operator' | 'project';
  readonly why: string;
  readonly help: string;
}

/** For a failed session; plans say the same. */
export const cannotBeDrained = (hostname: string, lack: Lack): string => {
  const { why, help } = lackWords(lack);
  return `host ${hostname} cannot be drained: ${why}; ${help}`;
};

export const lackWords = (lack: Lack): LackWords => {
  const { id, name, projectId } = lack.instance;
  const who = `instance ${name} (${id}) of project ${projectId}`;
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

const roomWords = (who: string, { hasNoTarget, missing, wanted, refusals }: LackOfCapacity): LackWords => {
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

const affinityWords = (who: string, { name, key, id = key, maxInstancesPerHost, isOfCloud }: Group): LackWords => {
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
