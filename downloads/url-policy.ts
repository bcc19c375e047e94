/**
 * Decides which URLs the service requests, and which addresses it may reach for them. Every redirect is judged again.
 */
import { isIP } from 'node:net';
import { type AllowedSource, allows } from './allowed-source';
import { isGuardedAddress } from './guarded-addresses';

export type UrlJudgement =
  | {
      readonly kind: 'accepted';
      readonly url: URL;
      /** True when a connection may go to this address, to which the host's name resolves at present. */
      readonly mayReach: (address: string) => boolean;
    }
  | { readonly kind: 'refused'; readonly because: string };

/** @param text a whole URL */
export type UrlPolicy = (text: string) => UrlJudgement;

const longestUrl = 2048;

const refused = (because: string): UrlJudgement => ({ kind: 'refused', because });

/** URLs that parsers repair, or that servers read in different ways, are refused. Nobody guesses their meaning. */
const whyUnclear = (text: string): string | undefined => {
  if (text.length > longestUrl) return `is longer than ${longestUrl} characters`;
  if (/[\s\\\p{Cc}]/u.test(text)) return 'has spaces, backslashes or control characters; encode them';
  if (!URL.canParse(text)) return 'is not a URL';
  return undefined;
};

const whyUnfit = ({ protocol, username, password, pathname }: URL): string | undefined => {
  if (protocol !== 'http:' && protocol !== 'https:')
    return `has the scheme ${protocol}; only http: and https: are allowed`;
  if (username !== '' || password !== '') return 'contains a user name or password, which would be shown and logged';
  if (/%(2f|5c|0[0-9a-f]|1[0-9a-f]|7f)/i.test(pathname)) return 'has an encoded slash or control character in its path';
  return undefined;
};

export const noSourceAllowed =
  'is refused: the setting PARLEY_DOWNLOAD_ALLOW of the service, which lists where packages may come from, is empty';

export const guarded = (address: string): string =>
  `leads to ${address}: loopback, link-local and metadata addresses are refused unless PARLEY_DOWNLOAD_ALLOW lists them`;

/** The host in the form that connections take: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** An operator who lists an address, or localhost, means to allow it. */
const isListed = (source: AllowedSource, address: string): boolean =>
  hostOf(source) === address ||
  (source.hostname === 'localhost' && !source.anySubdomain && (address === '::1' || address.startsWith('127.')));

const reachable =
  (sources: readonly AllowedSource[]) =>
  (address: string): boolean =>
    !isGuardedAddress(address) || sources.some((source) => isListed(source, address));

export const createUrlPolicy =
  (allowed: readonly AllowedSource[]): UrlPolicy =>
  (text) => {
    if (allowed.length === 0) return refused(noSourceAllowed);
    const unclear = whyUnclear(text);
    if (unclear !== undefined) return refused(unclear);
    const url = new URL(text);
    const unfit = whyUnfit(url);
    if (unfit !== undefined) return refused(unfit);
    return judgeSource(
      url,
      allowed.filter((source) => allows(source, url)),
    );
  };

const judgeSource = (url: URL, sources: readonly AllowedSource[]): UrlJudgement => {
  if (sources.length === 0) return refused('is not under an address that the setting PARLEY_DOWNLOAD_ALLOW lists');
  const mayReach = reachable(sources);
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayReach(host)) return refused(guarded(host));
  return { kind: 'accepted', url, mayReach };
};
