/** The address of a service, from the catalogue that comes with a token. */
import type { Catalog } from './log-in';

export interface EndpointChoice {
  /** Types under which the catalogue may list the service. */
  readonly types: readonly string[];
  /** public, internal or admin; also in the older form publicURL, internalURL or adminURL. */
  readonly interface: string;
  /** Left out: any region. */
  readonly region?: string | undefined;
}

/** The address without a trailing slash; undefined when the catalogue does not have the service. */
export const findEndpoint = (catalog: Catalog, choice: EndpointChoice): string | undefined => {
  const endpoints = catalog.filter(({ type }) => choice.types.includes(type)).flatMap((service) => service.endpoints);
  const place = choice.interface.replace(/URL$/, '');
  const found = endpoints.find(
    (endpoint) => endpoint.interface === place && (choice.region === undefined || endpoint.region_id === choice.region),
  );
  return found?.url.replace(/\/+$/, '');
};
