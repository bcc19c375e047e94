/** Amounts and classes of hosts and servers, by one look at sizes and aggregates. */
import type { Amounts } from '../../../rules/cloud/amounts';
import type { CloudHost, CloudInstance } from '../../../rules/cloud/cloud-facts';
import type { HostSize } from '../hosts/capacity';
import { hostOfServer } from '../moves/server-state';
import type { NovaServer } from '../nova/answers';
import type { HostAggregates } from './aggregates';
import { labelsFrom } from './labels';
import { needsOf, zoneOf } from './needs';
import { offersOf } from './offers';
import { amountsOfServer, amountsToldByNova } from './server-amounts';

export interface FleetLook {
  readonly sizes: ReadonlyMap<string, HostSize>;
  /** Undefined: Nova does not let this login see them. */
  readonly aggregates: HostAggregates | undefined;
  /** See NeedsSources. */
  readonly keepsZones: boolean;
}

export const nothingSeen: FleetLook = { sizes: new Map(), aggregates: undefined, keepsZones: false };

export const hostFacts = (
  name: string,
  { sizes, aggregates }: FleetLook,
): Pick<CloudHost, 'amounts' | 'devices' | 'offers' | 'labels'> => {
  const size = sizes.get(name);
  const ofHost = aggregates?.of(name);
  const labels = labelsFrom({ aggregates: ofHost, names: aggregates?.namesOf(name), traits: size?.traits });
  if (size === undefined) return { amounts: {}, labels };
  const { amounts, traits, hypervisorType: hypervisor } = size;
  const offers = offersOf({ aggregates: ofHost, traits, hypervisor });
  const devices = devicesAmong(amounts);
  return { amounts, ...(Object.keys(devices).length > 0 && { devices }), offers, labels };
};

/** Classes of resources that nova-compute reports as soon as it is up. */
const ofEveryHost: ReadonlySet<string> = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB']);

const devicesAmong = (amounts: Amounts): Amounts =>
  Object.fromEntries(Object.entries(amounts).filter(([name]) => !ofEveryHost.has(name)));

export const serverFacts = (server: NovaServer, look: FleetLook): Pick<CloudInstance, 'amounts' | 'needs'> => {
  const size = look.sizes.get(hostOfServer(server) ?? '');
  return {
    amounts: size?.toldBy === 'nova' ? amountsToldByNova(server) : amountsOfServer(server, size?.amounts),
    needs: needsOf(server, { ...look, hypervisor: size?.hypervisorType }),
  };
};

/** The IDs of the aggregates of the zone that the server has to stay in; none: any zone will do. */
export const zoneIdsFor = (server: NovaServer, look: FleetLook): readonly string[] => {
  const zone = zoneOf(server, look.aggregates, look.keepsZones);
  return zone === undefined ? [] : (look.aggregates?.idsOfZone(zone) ?? []);
};

export const isBareMetal = ({ hypervisorType }: Pick<HostSize, 'hypervisorType'>): boolean =>
  hypervisorType === 'ironic';

/** Nova moves no bare-metal node: the machine is the server. */
export const bareMetalReason = (server: NovaServer, { sizes }: FleetLook): string | undefined => {
  const size = sizes.get(hostOfServer(server) ?? '');
  return size !== undefined && isBareMetal(size) ? 'it is a bare-metal node, which Nova does not move' : undefined;
};
