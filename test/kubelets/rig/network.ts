/** The addresses of the nodes and their pods, in namespaces only: nothing of the machine's network changes. */

/** The first address of the services, which the certificate of the API server names. */
export const apiService = '10.0.0.1';
export const gateway = '10.213.0.1';

export interface NodeOfRig {
  readonly name: string;
  readonly address: string;
  readonly mac: string;
  readonly podRange: string;
  readonly zone: string;
}

const zones = 3;

export const nodesOfRig = (count: number): readonly NodeOfRig[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `node-${index}`,
    address: `10.213.0.${10 + index}`,
    mac: `02:00:00:00:00:${(10 + index).toString(16).padStart(2, '0')}`,
    podRange: `10.213.${100 + index}.0/24`,
    zone: `zone-${index % zones}`,
  }));
