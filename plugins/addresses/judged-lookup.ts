/**
 * Resolves the name of a URL once, and judges every address that it leads to. The connection then goes to exactly these
 * addresses: a name that leads elsewhere a moment later has no effect.
 */
import { isIP, type LookupFunction } from 'node:net';
import type { ProxySettings } from '../../outgoing/proxies';
import type { HostAddress, ResolveHost } from './resolve-host';
import { hostnameOf, type UrlJudgement } from './url-policy';

export type JudgedLookup =
  | { readonly kind: 'judged'; readonly lookup: LookupFunction }
  | { readonly kind: 'forbidden'; readonly because: string }
  | { readonly kind: 'unresolved'; readonly because: string; readonly cause?: unknown };

/** How an address that others have chosen is found and reached. */
export interface WayToOthers {
  readonly resolveHost: ResolveHost;
  readonly proxies: ProxySettings;
  /** True: a proxy is told also a name that this machine cannot resolve, and judges its addresses itself. */
  readonly proxyResolves: boolean;
}

/**
 * The look-up for a name that only a proxy may know: it fails where no proxy leads to the name, and a proxy does not
 * use it.
 */
const onlyByProxy =
  (because: string): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(new Error(because), '');

type Accepted = Extract<UrlJudgement, { readonly kind: 'accepted' }>;

export const judgeLookup = async ({ url, whyNot }: Accepted, way: WayToOthers): Promise<JudgedLookup> => {
  const found = await addressesOf(hostnameOf(url), way.resolveHost);
  if ('kind' in found) return perhapsByProxy(found, way);
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

const perhapsByProxy = (unresolved: Unresolved, { proxies, proxyResolves }: WayToOthers): JudgedLookup => {
  if (proxyResolves) return { kind: 'judged', lookup: onlyByProxy(unresolved.because) };
  if (proxies.httpProxy === undefined && proxies.httpsProxy === undefined) return unresolved;
  const help = 'here; with PARLEY_PROXY_RESOLVES=on the proxy resolves it';
  return { ...unresolved, because: `${unresolved.because} ${help}` };
};

/** Answers every look-up with the addresses that were judged. */
const pinnedTo =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
