/**
 * Checks the facts that Nova only checks after it has accepted a move: whether source and target are fit for it now.
 */
import type { Recent } from '../../../calls/recent';
import type { NovaServer, NovaService } from '../nova/answers';
import type { RoomCheck } from './check-room';
import { cellIsDown, computeBinary, isOfDownCell } from './list-hosts';

export interface Way {
  readonly source: string;
  readonly target: string;
  readonly server: NovaServer;
}

export interface WayProblem {
  readonly reason: string;
  /** True when another target may be fit. */
  readonly isOfTarget: boolean;
}

/**
 * A fault in a recent list may have passed, such as a host that was starting. So nothing is refused before the facts
 * are listed again.
 *
 * @returns the reason why the server cannot take that way now; undefined when it can
 */
export type WayCheck = (way: Way) => Promise<WayProblem | undefined>;

export const createWayCheck =
  (services: Recent<readonly NovaService[]>, checkRoom: RoomCheck): WayCheck =>
  async ({ source, target, server }) => {
    const problem = hostProblem({ source, target }, await services.get());
    const isStill = problem && hostProblem({ source, target }, await services.renew());
    return isStill ?? ofTarget(await checkRoom(server, target));
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
  service === undefined || service.state === 'up' ? undefined : `nova-compute on ${host} ${notUp(service)}.`;

const notUp = (service: NovaService): string =>
  isOfDownCell(service) ? `is unknown, since ${cellIsDown}` : `is ${service.state ?? 'in no known state'}`;

/** Nova itself refuses a host that it does not list, and does so at once. */
const targetProblem = (host: string, service: NovaService | undefined): string | undefined =>
  service?.status === 'disabled'
    ? `it is disabled (${service.disabled_reason ?? 'no reason given'}).`
    : downProblem(host, service);
