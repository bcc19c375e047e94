/** The words for what an instance lacks: the same in waiting reasons, failure, log and test. */
import type { ScaleInNeed } from '../decision';
import type { Group, Refusal, Waiting } from '../fleet/fleet';
import type { Lack } from './placement';
import { untilPassed } from './refusals';
import type { Room } from '../fleet/room';

/** For example "4 vcpus and 2048 MB of memory". */
export function roomWords({ vcpus, memoryMb }: Room): string {
  const parts = [vcpus > 0 ? `${vcpus} vcpus` : '', memoryMb > 0 ? `${memoryMb} MB of memory` : ''];
  return parts.filter((part) => part !== '').join(' and ');
}

/** How much of what the host that needs the least does. */
export function leastNeed(need: ScaleInNeed): string {
  const { host, missingSlots } = need;
  const amount = missingWords(need);
  if (missingSlots === 0) return `host ${host} needs the least, ${amount}`;
  return `host ${host} comes closest, but for the anti-affinity of what is on it: ${amount}`;
}

/** What the session waits for while it asks for room. */
export function needReason(need: ScaleInNeed): Waiting {
  const waitingFor = need.missingSlots > 0 ? 'affinity' : 'room';
  return { waitingFor, who: need.host, subject: missingWords(need), because: leastNeed(need) };
}

/** For example "4 vcpus and 2048 MB of memory more on 2 other hosts". */
function missingWords({ missingVcpus, missingMemoryMb, missingOnHosts, missingSlots }: ScaleInNeed): string {
  const room = roomWords({ vcpus: missingVcpus, memoryMb: missingMemoryMb });
  if (missingSlots > 0) return `${counted(missingSlots, 'slot')} more on other hosts, or ${room} scaled in`;
  if (missingOnHosts === 0) return `${room} more on another enabled compute host`;
  return `${room} more on ${counted(missingOnHosts, 'other host')}`;
}

function counted(count: number, word: string): string {
  return `${String(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Nothing keeps it but the session's pause. */
export function resumeReason(who: string, pausedAtMs: number): Waiting {
  return { waitingFor: 'resume', who, subject: new Date(pausedAtMs).toISOString() };
}

/** A group as what is waited for: its name and its ID, where it has a name. */
export function groupSubject({ id, name }: Group): Pick<Waiting, 'subject' | 'subjectId'> {
  return id === undefined || id === name ? { subject: name } : { subject: name, subjectId: id };
}

/** The reason for whatever waits because of a lack: an instance, another one on the same host, or the host. */
export function lackReason(lack: Lack, who: string, nowMs: number): Waiting {
  const waitingFor = lack.kind === 'refused' ? 'host' : lack.kind;
  const reason: Waiting = { waitingFor, who, ...lackSubject(lack) };
  const refusals = lack.kind === 'affinity' ? [] : (lack.refusals ?? []);
  if (refusals.length === 0) return reason;
  const remainingMs = untilPassed(refusals, nowMs);
  return { ...reason, because: refusalWords(refusals), ...(remainingMs !== undefined && { remainingMs }) };
}

/** What is missing: an amount of room on one host, any host, or the group whose anti-affinity leaves no host. */
function lackSubject(lack: Lack): Pick<Waiting, 'subject' | 'subjectId'> {
  if (lack.kind === 'refused') return { subject: lack.refusals.map(({ target }) => target).join(', ') };
  if (lack.kind === 'affinity') return groupSubject(lack.limit);
  const where = lack.hasNoTarget ? ['another enabled compute host'] : [];
  return { subject: [roomWords(lack.missing), ...where].filter((words) => words !== '').join(' on ') };
}

const mostRefusalsTold = 3;

/** In the cloud's words, of the first few. */
function refusalWords(refusals: readonly Refusal[]): string {
  const told = refusals.slice(0, mostRefusalsTold).map(({ target, reason }) => `host ${target} refused it: ${reason}`);
  const more = refusals.length - told.length;
  return [...told, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('; ');
}

/** Of an instance that the cloud moves nowhere; see planning/fleet/fleet.ts, `Instance.cannotMove`. */
export function onlyOwnAction(cannotMove: string): string {
  return `the cloud does not move it, since ${cannotMove}: only its project can act (OWN_ACTION)`;
}

/** What would help besides, for a failed session. */
export function cannotBeMoved(cannotMove: string): string {
  return `${onlyOwnAction(cannotMove)}; let its manager answer OWN_ACTION in time and carry it out, or take away what keeps it there, then resume`;
}

/** Why a host cannot be emptied and what would help, for a failed session. */
export function cannotBeEmptied(hostname: string, lack: Lack): string {
  const { id, name, projectId } = lack.instance;
  const who = `host ${hostname} cannot be emptied: instance ${name} (${id}) of project ${projectId}`;
  if (lack.kind === 'refused') return `${who} has no target that the cloud allows: ${lackWords(lack)}`;
  return `${who} waits for ${lack.kind}: ${lackWords(lack)}`;
}

function lackWords(lack: Lack): string {
  if (lack.kind === 'room' && lack.hasNoTarget) return 'there is no other enabled compute host; add or enable one';
  if (lack.kind === 'room') {
    const refused = lack.refusals ? `; ${refusalWords(lack.refusals)}` : '';
    return `${roomWords(lack.missing)} missing on the host that comes closest; free that much there, or add or enable a compute host${refused}`;
  }
  if (lack.kind === 'affinity') return affinityWords(lack.limit);
  return `${refusalWords(lack.refusals)}; change what keeps it from there, or add or enable a compute host`;
}

function affinityWords({ name, key, id = key, maxInstancesPerHost, isOfCloud }: Group): string {
  const most = String(maxInstancesPerHost);
  const where = 'is reached on every compute host';
  const help = 'scale the group in, or add or enable a compute host';
  if (isOfCloud) return `the limit of ${name}, which lets ${most} of its members share a host, ${where}; ${help}`;
  return `max_instances_per_host ${most} of group ${name} (${id}) ${where}; raise it, ${help}`;
}
