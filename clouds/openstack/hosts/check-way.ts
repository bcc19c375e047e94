/** What Nova finds out only after it has accepted a move: whether source and target are fit for it now. */
import type { NovaService } from '../nova/answers';
import type { Recent } from '../recent';
import type { Capacities, Room } from './capacity';
import { computeBinary } from './list-hosts';

export interface Way {
  readonly source: string;
  readonly target: string;
  readonly flavor: {
    readonly vcpus: number;
    /** MB. */
    readonly ram: number;
  };
}

export interface WayProblem {
  readonly reason: string;
  /** Another target may do. */
  readonly isOfTarget: boolean;
}

/**
 * What was listed lately may be over, such as the start of a host: nothing is refused before it is listed anew.
 *
 * @returns why a server of that size cannot go that way now; undefined where it can
 */
export type WayCheck = (way: Way) => Promise<WayProblem | undefined>;

export const createWayCheck =
  (services: Recent<readonly NovaService[]>, capacities: Capacities): WayCheck =>
  async ({ source, target, flavor }) => {
    const problem = hostProblem({ source, target }, await services.get());
    const isStill = problem && hostProblem({ source, target }, await services.renew());
    return isStill ?? ofTarget(roomProblem(flavor, await roomOn(capacities, target)));
  };

const hostProblem = (
  { source, target }: Pick<Way, 'source' | 'target'>,
  services: readonly NovaService[],
): WayProblem | undefined => {
  const computes = services.filter(({ binary }) => binary === computeBinary);
  const serviceOn = (host: string) => computes.find((service) => service.host === host);
  const ofSource = downProblem(source, serviceOn(source));
  if (ofSource !== undefined) return { reason: ofSource, isOfTarget: false };
  return ofTarget(targetProblem(target, serviceOn(target)));
};

const ofTarget = (reason: string | undefined): WayProblem | undefined =>
  reason === undefined ? undefined : { reason, isOfTarget: true };

const downProblem = (host: string, service: NovaService | undefined): string | undefined =>
  service === undefined || service.state === 'up' ? undefined : `nova-compute on ${host} is ${service.state}.`;

/** A host that Nova does not list is left to Nova, which refuses it at once. */
const targetProblem = (host: string, service: NovaService | undefined): string | undefined =>
  service?.status === 'disabled'
    ? `it is disabled (${service.disabled_reason ?? 'no reason given'}).`
    : downProblem(host, service);

const roomOn = async (capacities: Capacities, host: string): Promise<Room | undefined> => {
  const size = (await capacities.sizes([host])).get(host);
  return size && capacities.roomLeft(size);
};

const roomProblem = ({ vcpus, ram }: Way['flavor'], room: Room | undefined): string | undefined => {
  if (room === undefined || (room.vcpus >= vcpus && room.memoryMb >= ram)) return undefined;
  return `no room; ${vcpus} vcpus and ${ram} MB are needed, ${room.vcpus} vcpus and ${room.memoryMb} MB are left.`;
};
