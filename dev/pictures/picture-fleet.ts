/** The fleet of the pictures: two racks of hosts with the network functions of some tenants, by readable names. */
import type { WireFleet } from '../../clouds/simulated/fleet-schema';
import { generateFleet } from '../bench/generate-fleet';

const seed = 4;
const hostsInRack = 10;
const tenants = ['amf', 'smf', 'upf', 'ims', 'dns', 'batch'] as const;

/** compute-0 is node-r1-01. */
const hostName = (name: string): string => {
  const number = Number(/^compute-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return name;
  const [rack, place] = [Math.floor(number / hostsInRack) + 1, (number % hostsInRack) + 1];
  return `node-r${rack}-${String(place).padStart(2, '0')}`;
};

/** Twenty hosts for instances, and three controllers. */
export const pictureFleet = (): WireFleet => {
  const fleet = generateFleet({ hosts: 2 * hostsInRack + 3, instances: 84, seed, recoverySeconds: 2 });
  const projects = [...new Set(fleet.instances.map(({ project_id: id }) => id))];
  const tenantOf = (projectId: string): string => tenants[projects.indexOf(projectId) % tenants.length] ?? 'other';
  const counted = new Map<string, number>();
  const instanceName = (projectId: string): string => {
    const tenant = tenantOf(projectId);
    counted.set(tenant, (counted.get(tenant) ?? 0) + 1);
    return `${tenant}-${counted.get(tenant) ?? 1}`;
  };
  return {
    ...fleet,
    projects: projects.map((id) => ({ project_id: id, name: tenantOf(id) })),
    hosts: fleet.hosts.map((host) => ({ ...host, name: hostName(host.name) })),
    instances: fleet.instances.map((one) => ({
      ...one,
      instance_name: instanceName(one.project_id),
      host: hostName(one.host),
    })),
  };
};

/** The hosts that the session of the pictures maintains. */
export const hostsOfPictures = ({ hosts }: WireFleet): string[] =>
  hosts.filter(({ type }) => type === 'compute').map(({ name }) => name);
