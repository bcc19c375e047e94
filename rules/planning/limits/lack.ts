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
}

/** The reason why an instance finds no place; `refusals`: of targets that are left out for it. */
export type Lack =
  /** Capacity on the target that comes closest; all that it needs where no other host takes instances. */
  | (LackOfCapacity & { readonly refusals?: readonly Refusal[] })
  /** Every target holds as many members as it may; of several limits that is one. */
  | { readonly kind: 'affinity'; readonly instance: Instance; readonly limit: Group }
  /** The cloud refused it on the targets that are left. */
  | { readonly kind: 'refused'; readonly instance: Instance; readonly refusals: readonly Refusal[] };

/** The reason for whatever waits because of a lack: an instance, another one on the same host, or the host. */
export const lackReason = (lack: Lack, who: string, nowMs: number): Waiting => {
  const waitingFor = lack.kind === 'refused' ? 'host' : lack.kind;
  const reason: Waiting = { waitingFor, who, ...lackSubject(lack) };
  const refusals = lack.kind === 'affinity' ? [] : (lack.refusals ?? []);
  if (refusals.length === 0) return reason;
  const remainingMs = untilPassed(refusals, nowMs);
  return { ...reason, because: refusalWords(refusals), ...(remainingMs !== undefined && { remainingMs }) };
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

/** Why a host cannot be drained and what would help, for a failed session. */
export const cannotBeDrained = (hostname: string, lack: Lack): string => {
  const { id, name, projectId } = lack.instance;
  const who = `host ${hostname} cannot be drained: instance ${name} (${id}) of project ${projectId}`;
  if (lack.kind === 'refused') return `${who} has no target that the cloud allows: ${lackWords(lack)}`;
  return `${who} waits for ${lack.kind === 'room' ? 'capacity' : lack.kind}: ${lackWords(lack)}`;
};

const lackWords = (lack: Lack): string => {
  if (lack.kind === 'room' && lack.hasNoTarget) {
    return `there is no other enabled compute host${having(lack.wanted)}; add or enable one`;
  }
  if (lack.kind === 'room') {
    const refused = lack.refusals ? `; ${refusalWords(lack.refusals)}` : '';
    return `${amountWords(lack.missing)} missing on the host${having(lack.wanted)} that comes closest; free that much there, or add or enable a compute host${refused}`;
  }
  if (lack.kind === 'affinity') return affinityWords(lack.limit);
  return `${refusalWords(lack.refusals)}; change what keeps it from there, or add or enable a compute host`;
};

const affinityWords = ({ name, key, id = key, maxInstancesPerHost, isOfCloud }: Group): string => {
  const most = String(maxInstancesPerHost);
  const where = 'is reached on every compute host';
  const help = 'scale the group in, or add or enable a compute host';
  if (isOfCloud) return `the limit of ${name}, which lets ${most} of its members share a host, ${where}; ${help}`;
  return `max_instances_per_host ${most} of group ${name} (${id}) ${where}; raise it, ${help}`;
};
