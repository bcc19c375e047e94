/**
 * Limits over parts of the fleet that fail together, such as zones and racks: hosts whose label has the same text are
 * one domain. Hosts without the label are one domain as well, since nobody knows in which one each of them is.
 */
import type { Host } from '../fleet/fleet';
import { limitNow } from '../limits/limit-now';

export interface DomainLimits {
  /** The number of hosts of a domain that may be under work at once, by the key of the label. */
  readonly maxParallelPer?: Readonly<Record<string, number>>;
  /** The key of a label: hosts under work are of one domain. */
  readonly oneDomainAtATime?: string;
}

interface DomainSteering {
  /** Null: not given. */
  readonly maxParallelPer: Readonly<Record<string, number>> | null;
  /** Null: not given. */
  readonly oneDomainAtATime: string | null;
}

/** Nothing where the session has no such limit. */
export const domainLimitsOf = ({
  maxParallelPer,
  oneDomainAtATime,
}: DomainSteering): { readonly domains?: DomainLimits } => {
  if (maxParallelPer === null && oneDomainAtATime === null) return {};
  return {
    domains: { ...(maxParallelPer && { maxParallelPer }), ...(oneDomainAtATime !== null && { oneDomainAtATime }) },
  };
};

const domainOf = ({ labels = {} }: Host, key: string): string | undefined => labels[key];

const inWords = (host: Host, key: string): string => {
  const domain = domainOf(host, key);
  return domain === undefined ? `without ${key}` : `with ${key}=${domain}`;
};

/** Why a host may not be under work beside these; `first` is one of them. Undefined: it may. */
export const whyNotBeside = (host: Host, underWork: readonly Host[], domains: DomainLimits | undefined) => {
  if (domains === undefined) return undefined;
  const { maxParallelPer = {}, oneDomainAtATime: key } = domains;
  const other = key === undefined ? undefined : underWork.find((one) => domainOf(one, key) !== domainOf(host, key));
  if (key !== undefined && other !== undefined) {
    return { first: other, because: `one ${key} at a time, and hosts ${inWords(other, key)} are under work` };
  }
  return whyDomainIsFull(host, underWork, maxParallelPer);
};

const whyDomainIsFull = (host: Host, underWork: readonly Host[], most: Readonly<Record<string, number>>) => {
  for (const [key, max] of Object.entries(most)) {
    const fellows = underWork.filter((one) => domainOf(one, key) === domainOf(host, key));
    const [first] = fellows;
    if (first === undefined || fellows.length < max) continue;
    const names = fellows.map(({ name }) => name);
    const because = `as many hosts ${inWords(host, key)} are under work as may be at once`;
    return { first, because, limit: limitNow(max, fellows.length, names) };
  }
  return undefined;
};
