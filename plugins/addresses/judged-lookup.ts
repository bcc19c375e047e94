/**
 * Resolves the name of a URL once, and judges every address that it leads to. The connection then goes to exactly these
 * addresses: a name that leads elsewhere a moment later has no effect.
 */
import { isIP, type LookupFunction } from 'node:net';
import type { HostAddress, ResolveHost } from './resolve-host';
import { hostnameOf, type UrlJudgement } from './url-policy';

export type JudgedLookup =
  | { readonly kind: 'judged'; readonly lookup: LookupFunction }
  | { readonly kind: 'forbidden'; readonly because: string }
  | { readonly kind: 'unresolved'; readonly because: string; readonly cause?: unknown };

type Accepted = Extract<UrlJudgement, { readonly kind: 'accepted' }>;

export const judgeLookup = async ({ url, whyNot }: Accepted, resolveHost: ResolveHost): Promise<JudgedLookup> => {
  const found = await addressesOf(hostnameOf(url), resolveHost);
  if ('kind' in found) return found;
  const [because] = found.addresses.flatMap(({ address }) => whyNot(address) ?? []);
  if (because !== undefined) return { kind: 'forbidden', because };
  return { kind: 'judged', lookup: pinnedTo(found.addresses) };
};

type Unresolved = Extract<JudgedLookup, { readonly kind: 'unresolved' }>;

const addressesOf = async (
  host: string,
  resolveHost: ResolveHost,
): Promise<{ readonly addresses: readonly HostAddress[] } | Unresolved> => {
  if (isIP(host) !== 0) return { addresses: [{ address: host, family: isIP(host) }] };
  try {
    const addresses = await resolveHost(host);
    return addresses.length > 0 ? { addresses } : { kind: 'unresolved', because: `the name ${host} has no address` };
  } catch (cause) {
    return { kind: 'unresolved', because: `the name ${host} cannot be resolved`, cause };
  }
};

/** Answers every look-up with the addresses that were judged. */
const pinnedTo =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
