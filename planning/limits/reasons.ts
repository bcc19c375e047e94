/** The words for what an instance lacks: the same in waiting reasons, failure, log and test. */
import type { ScaleInNeed } from '../decision';
import type { Waiting } from '../fleet/fleet';
import { type FleetIndex, groupOfKey } from '../fleet/fleet-index';
import type { Lack } from './placement';
import type { Room } from '../fleet/room';

/** For example "4 vcpus and 2048 MB of memory". */
export function roomWords({ vcpus, memoryMb }: Room): string {
  const parts = [vcpus > 0 ? `${vcpus} vcpus` : '', memoryMb > 0 ? `${memoryMb} MB of memory` : ''];
  return parts.filter((part) => part !== '').join(' and ');
}

/** How much of what the host that needs the least does. */
export function leastNeed({ host, missingVcpus, missingMemoryMb, isKeptByAffinity }: ScaleInNeed): string {
  if (isKeptByAffinity) return `host ${host} comes closest, but for the anti-affinity of what is on it`;
  const room = roomWords({ vcpus: missingVcpus, memoryMb: missingMemoryMb });
  return room === '' ? `host ${host} comes closest` : `host ${host} needs the least, ${room} more elsewhere`;
}

/** Nothing keeps it but the session's pause. */
export function resumeReason(who: string, pausedAtMs: number): Waiting {
  return { waitingFor: 'resume', who, subject: new Date(pausedAtMs).toISOString() };
}

/** The reason for an instance that waits because of a lack, its own or another's on the same host. */
export function lackReason(index: FleetIndex, lack: Lack, instanceId: string): Waiting {
  return { waitingFor: lack.kind, who: instanceId, subject: lackSubject(index, lack) };
}

/** What is missing: an amount of room on one host, any host, or the group whose anti-affinity leaves no host. */
export function lackSubject(index: FleetIndex, lack: Lack): string {
  if (lack.kind === 'affinity') return groupOfKey(index, lack.instance.groupKey).name;
  const where = lack.hasNoTarget ? ['another enabled compute host'] : [];
  return [roomWords(lack.missing), ...where].filter((words) => words !== '').join(' on ');
}

/** Why a host cannot be emptied and what would help, for a failed session. */
export function cannotBeEmptied(index: FleetIndex, hostname: string, lack: Lack): string {
  const { id, name, projectId } = lack.instance;
  const who = `host ${hostname} cannot be emptied: instance ${name} (${id}) of project ${projectId}`;
  return `${who} waits for ${lack.kind}: ${lackWords(index, lack)}`;
}

function lackWords(index: FleetIndex, lack: Lack): string {
  if (lack.kind === 'room' && lack.hasNoTarget) return 'there is no other enabled compute host; add or enable one';
  if (lack.kind === 'room') {
    return `${roomWords(lack.missing)} missing on the host that comes closest; free that much there, or add or enable a compute host`;
  }
  const { name, key, maxInstancesPerHost } = groupOfKey(index, lack.instance.groupKey);
  const limit = `max_instances_per_host ${String(maxInstancesPerHost)} of group ${name} (${key})`;
  return `${limit} is reached on every compute host; raise it, scale the group in, or add or enable a compute host`;
}
