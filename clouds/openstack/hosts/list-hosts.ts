/**
 * Hosts from Nova's services: a host with nova-compute is a compute, and a host with any other service of Nova's
 * control plane is a controller.
 */
import type { CloudHost } from '../../../rules/cloud/cloud-facts';
import type { HostLabels } from '../../../rules/selectors/labels';
import { type FleetLook, hostFacts } from '../classes/fleet-look';
import { utcMs } from '../moves/nova-records';
import type { NovaService } from '../nova/answers';

export const computeBinary = 'nova-compute';

/** Follows "since". */
export const cellIsDown = 'its cell does not answer Nova (see "nova-manage cell_v2 list_cells", and its database)';

/** Nova knows such a service by its name only. */
export const isOfDownCell = ({ status, state }: NovaService): boolean => status === 'UNKNOWN' && state === undefined;

interface SeenHost {
  readonly name: string;
  readonly services: readonly NovaService[];
  readonly look: FleetLook;
  readonly nowMs: number;
}

const hostFrom = ({ name, services, look, nowMs }: SeenHost): CloudHost => {
  const compute = services.find(({ binary }) => binary === computeBinary);
  const facts = hostFacts(name, look);
  return {
    name,
    type: services.some(({ binary }) => binary !== computeBinary) ? 'controller' : 'compute',
    isCompute: compute !== undefined,
    ...facts,
    labels: { ...facts.labels, ...labelsOf(compute) },
    ...(compute === undefined ? { enabled: true, isUp: true, ...goneFor(services, nowMs) } : stateOf(compute)),
  };
};

/** The words of `openstack compute service list`. */
const labelsOf = (compute: NovaService | undefined): HostLabels =>
  compute === undefined ? {} : { status: compute.status, ...(compute.state && { state: compute.state }) };

/** A host of a cell that does not answer counts as disabled: nothing is to be placed there, and nobody knows. */
const stateOf = (compute: NovaService): Pick<CloudHost, 'enabled' | 'isUp' | 'disabledReason' | 'contentUnknown'> => {
  if (isOfDownCell(compute)) return { enabled: false, isUp: false, contentUnknown: cellIsDown };
  const isEnabled = compute.status === 'enabled';
  const { disabled_reason: disabledReason } = compute;
  return {
    enabled: isEnabled,
    isUp: compute.state === 'up',
    ...(!isEnabled && disabledReason != null && { disabledReason }),
  };
};

/**
 * A machine that is repaired may be down for hours. Services that run in pods take a new name at each start, and leave
 * the old one behind for ever. The last report is by the clock of a machine of Nova: clocks that differ by minutes do
 * no harm to a day, and whether a service is down is what Nova says itself.
 */
const goneAfterMs = 24 * 3_600_000;

const goneFor = (services: readonly NovaService[], nowMs: number): Pick<CloudHost, 'seemsGone'> => {
  const lastMs = Math.max(...services.map(lastReportMs));
  const isDown = services.every(({ state }) => state === 'down');
  if (!isDown || nowMs - lastMs < goneAfterMs) return {};
  const names = services.map(({ binary }) => binary).join(' and ');
  const last = Number.isFinite(lastMs)
    ? `have been down since ${new Date(lastMs).toISOString()}`
    : 'have never reported';
  return { seemsGone: `its services (${names}) ${last}` };
};

/** Infinity: Nova does not tell, or tells no time. -Infinity: the service has never reported. */
const lastReportMs = ({ updated_at: at }: NovaService): number => {
  if (at === null) return -Infinity;
  const ms = at === undefined ? NaN : utcMs(at);
  return Number.isNaN(ms) ? Infinity : ms;
};

/** One host for every host name of a service, by name. */
export const hostsFrom = (
  services: readonly NovaService[],
  look: FleetLook,
  nowMs = Date.now(),
): readonly CloudHost[] => {
  const byName = Map.groupBy(services, ({ host }) => host);
  return [...byName.keys()].sort().map((name) => hostFrom({ name, services: byName.get(name) ?? [], look, nowMs }));
};
