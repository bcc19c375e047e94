/** The address of a service, from the catalogue that comes with a token. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const text = Type.String();
const maybeText = Type.Optional(Type.Union([text, Type.Null()]));
/** Some catalogues give the region by its older name alone, or none. */
const EndpointSchema = Type.Object({ interface: text, url: text, region_id: maybeText, region: maybeText });
const ServiceSchema = Type.Object({ type: text, endpoints: Type.Array(Type.Unknown()) });

export interface CatalogService {
  readonly type: string;
  readonly endpoints: readonly Static<typeof EndpointSchema>[];
}

/** The services in Keystone's form: by type, each with its endpoints. */
export type Catalog = readonly CatalogService[];

/** Entries without an address are left out: one that is broken must not hide the other services. */
export const catalogFrom = (told: unknown): Catalog => {
  const entries: readonly unknown[] = Array.isArray(told) ? told : [];
  const services = entries.filter((entry) => Value.Check(ServiceSchema, entry));
  return services.map(({ type, endpoints }) => ({
    type,
    endpoints: endpoints.filter((endpoint) => Value.Check(EndpointSchema, endpoint)),
  }));
};

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
    (endpoint) => endpoint.interface === place && (choice.region === undefined || regionOf(endpoint) === choice.region),
  );
  return found?.url.replace(/\/+$/, '');
};

const regionOf = ({ region_id: id, region }: Static<typeof EndpointSchema>): string | undefined =>
  id ?? region ?? undefined;
