/**
 * What Nova's words about a refused or failed move mean for the server. The rows are from Nova's source: exception.py
 * (the texts), conductor/tasks/live_migrate.py and conductor/manager.py (which of them end a move, and how),
 * compute/manager.py and virt/libvirt/driver.py (the checks on both hosts), compute/api.py (refusals at once).
 */
import { isCold, type NovaMove } from './move-log';

/**
 * - otherTarget: the server cannot go to this target now; another one may take it, in the same way.
 * - notLive: it cannot go live at all; a cold move may succeed.
 * - notAtAll: Nova moves it in no way, whatever is done about hosts: only its project can act.
 * - notNow: Nova moves it in no way before somebody has put its state, or its host, right.
 * - passes: Nova is busy with the server: nothing is wrong with it or with the hosts.
 */
export type FailureVerdict = 'otherTarget' | 'notLive' | 'notAtAll' | 'notNow' | 'passes';

/** What Nova has said in one place. */
export interface NovaSaying {
  /** The event of the server's action that failed; undefined for an answer to a call, and for a fault. */
  readonly event?: string;
  readonly words: string;
}

interface FailureRow {
  readonly words: RegExp;
  /** Left out: whichever said it. */
  readonly event?: RegExp;
  /** The host that the words name (their first group). Left out: any. */
  readonly names?: 'source';
  readonly verdict: FailureVerdict;
}

/** The first row that holds counts. Nova sometimes gives only the name of the exception. */
const rows: readonly FailureRow[] = [
  // InstanceInvalidState: the server's own state; a cold move takes ACTIVE and SHUTOFF, a live one ACTIVE and PAUSED.
  { words: /while it is in task_state/, verdict: 'passes' },
  { words: /while it is in vm_state stopped|in power_state .*live migrate/i, verdict: 'notLive' },
  { words: /while it is in vm_state/, verdict: 'notNow' },
  { words: /Instance \S+ is locked|InstanceIsLocked/, verdict: 'notNow' },
  // Devices and ports that Nova moves in no way, or only cold.
  { words: /instances that have accelerators|ForbiddenWithAccelerators/, verdict: 'notAtAll' },
  { words: /Ports that have accelerators|ForbiddenPortsWithAccelerator/, verdict: 'notAtAll' },
  { words: /instances that have shares|ForbiddenWithShare/, verdict: 'notAtAll' },
  { words: /ServerGroup policy is not supported|UnsupportedPolicyException/, verdict: 'notAtAll' },
  { words: /remote-managed ports|ForbiddenWithRemoteManagedPorts/, verdict: 'notAtAll' },
  // A cold move would need the secrets of the project's own user (classes/kept-by-secret.ts).
  { words: /vTPM|TPM secret|VTPM/, verdict: 'notAtAll' },
  { words: /mem(ory)? encryption|OperationNotSupportedForMemEncryption|\bSEV\b/i, verdict: 'notAtAll' },
  { words: /Operation 'live[-_]migrat\w*' not supported|OperationNotSupportedFor/, verdict: 'notLive' },
  { words: /Operation '\S+' not supported/, verdict: 'notAtAll' },
  { words: /live-migratable devices|Cannot live migrate|Cannot block migrate/, verdict: 'notLive' },
  { words: /has an associated NUMA topology/, verdict: 'notLive' },
  { words: /is not on shared storage|InvalidSharedStorage/, verdict: 'notLive' },
  { words: /is not on local storage|InvalidLocalStorage/, verdict: 'notLive' },
  { words: /Live migration with API v2\.\d+ requires|LiveMigrationWithOldNovaNotSupported/, verdict: 'notLive' },
  { words: /No live migration URI|LiveMigrationURINotAvailable/, verdict: 'notLive' },
  // One of the two hosts.
  { words: /QEMU version for compute service (\S+) are too old/, names: 'source', verdict: 'notLive' },
  { words: /QEMU version for compute service \S+ are too old/, verdict: 'otherTarget' },
  { words: /Source mdevs? .*(supported by|mapped for) this compute/, verdict: 'otherTarget' },
  { words: /Compute service of (\S+) is unavailable/, names: 'source', verdict: 'notNow' },
  { words: /Compute service of \S+ is unavailable|ComputeServiceUnavailable/, verdict: 'otherTarget' },
  { words: /check_can_live_migrate_source.*Connection to the hypervisor is broken/s, verdict: 'notNow' },
  { words: /Connection to the hypervisor is broken/, event: /live_migrate_source$/, verdict: 'notNow' },
  { words: /Connection to the hypervisor is broken|HypervisorUnavailable/, verdict: 'otherTarget' },
  { words: /Compute host \S+ could not be found|ComputeHostNotFound/, verdict: 'otherTarget' },
  { words: /Unacceptable CPU info|CPU doesn't have compatibility|InvalidCPUInfo/, verdict: 'otherTarget' },
  { words: /requires a newer hypervisor version|DestinationHypervisorTooOld/, verdict: 'otherTarget' },
  { words: /supplied hypervisor type|InvalidHypervisorType/, verdict: 'otherTarget' },
  { words: /to current host|UnableToMigrateToSelf|CannotMigrateToSameHost/, verdict: 'otherTarget' },
  { words: /Timeout while checking if we can live migrate to host/, verdict: 'otherTarget' },
  { words: /instance group policy|affinity/i, verdict: 'otherTarget' },
  { words: /Lack of memory|Disk of instance is too large/, verdict: 'otherTarget' },
  { words: /Insufficient compute resources|ComputeResourcesUnavailable/, verdict: 'otherTarget' },
  { words: /PCI device request .* failed|PciDeviceRequestFailed/, verdict: 'otherTarget' },
  { words: /Binding failed for port|PortBindingFailed/, verdict: 'otherTarget' },
  { words: /Unable to force live migrate .* across cells/, verdict: 'otherTarget' },
  // The scheduler: asked in vain, or not at all.
  { words: /Migration select destinations error|MigrationSchedulerRPCError/, verdict: 'otherTarget' },
  { words: /no valid host|NoValidHost|Exceeded max(imum)? /i, verdict: 'otherTarget' },
];

/**
 * The scheduler also finds no host for a device that cannot go live, without any event that says so.
 *
 * @returns undefined when no row holds: the reason is told in Nova's words, and a cold move may succeed
 */
export const verdictOn = (
  move: Pick<NovaMove, 'action' | 'forced' | 'source'>,
  told: readonly NovaSaying[],
  { hasDevice = false }: { readonly hasDevice?: boolean } = {},
): FailureVerdict | undefined => {
  const counted = thatCount(told);
  const verdict = rows.find((row) => counted.some((one) => holds(row, one, move)))?.verdict;
  if (isCold(move)) return verdict === 'notLive' ? undefined : verdict;
  return verdict === 'otherTarget' && hasDevice && !counted.some(isOnHost) ? 'notLive' : verdict;
};

const isOnHost = ({ event }: NovaSaying): boolean => event?.startsWith('compute_') ?? false;

/** When a check on a host has failed, the conductor says "No valid host" in the end: the check's words count alone. */
const thatCount = (told: readonly NovaSaying[]): readonly NovaSaying[] => {
  const onHosts = told.filter(isOnHost);
  return onHosts.length > 0 ? onHosts : told;
};

const holds = (
  { words, event, names }: FailureRow,
  said: NovaSaying,
  { source }: Pick<NovaMove, 'source'>,
): boolean => {
  const found = words.exec(said.words);
  if (found === null || (event !== undefined && !event.test(said.event ?? ''))) return false;
  return names === undefined || found[1] === source;
};
