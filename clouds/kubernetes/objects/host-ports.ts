/** The ports of a node that its pods take for themselves: the scheduler puts no two pods with one port on a node. */
import type { Pod } from './pods';

export interface HostPort {
  readonly protocol: string;
  readonly port: number;
  /** Left out: all addresses of the node. */
  readonly address?: string;
}

export const hostPortsOf = ({ spec: { containers, initContainers = [] } }: Pod): readonly HostPort[] => {
  // Init containers that end give their ports back before the others begin.
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP = '', protocol = 'TCP' }) => {
      const isOnAll = hostIP === '' || hostIP === '0.0.0.0';
      return hostPort === 0 ? [] : [{ protocol, port: hostPort, ...(!isOnAll && { address: hostIP }) }];
    }),
  );
};

/** True when one pod cannot have the one while another has the other. */
export const areInConflict = (one: HostPort, other: HostPort): boolean =>
  one.protocol === other.protocol &&
  one.port === other.port &&
  (one.address === undefined || other.address === undefined || one.address === other.address);

/** Such as `80/TCP` or `80/TCP on 10.0.0.1`. */
export const hostPortWords = ({ protocol, port, address }: HostPort): string =>
  `${port}/${protocol}${address === undefined ? '' : ` on ${address}`}`;
