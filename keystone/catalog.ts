/** Where a service is, by the catalogue that comes with a token. */
import type { Catalog } from './log-in';

export interface EndpointChoice {
  /** Types that the service goes by. */
  readonly types: readonly string[];
  /** public, internal or admin. */
  readonly interface: string;
  /** Any region where it is not given. */
  readonly region?: string | undefined;
}

/** Without a trailing slash; undefined where the catalogue has none. */
export const findEndpoint = (catalog: Catalog, choice: EndpointChoice): string | undefined => {
  const endpoints = catalog.filter(({ type }) => choice.types.includes(type)).flatMap((service) => service.endpoints);
  const found = endpoints.find(
    (endpoint) =>
      endpoint.interface === choice.interface && (choice.region === undefined || endpoint.region_id === choice.region),
  );
  return found?.url.replace(/\/+$/, '');
};
