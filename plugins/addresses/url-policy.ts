/**
 * Decides which URLs the service requests, and which addresses it may reach for them. Every redirect is judged again.
 */
import { isIP } from 'node:net';
import { type AllowedSource, allows } from './allowed-source';

export type UrlJudgement =
  | {
      readonly kind: 'accepted';
      readonly url: URL;
      /** Undefined when a connection may go to this address, to which the host's name resolves at present. */
      readonly whyNot: (address: string) => string | undefined;
    }
  | { readonly kind: 'refused'; readonly because: string };

/** @param text a whole URL */
export type UrlPolicy = (text: string) => UrlJudgement;

/** The use of an allow-list, and the addresses that names must not lead to. */
export interface UrlGuard {
  /** The setting that lists the allowed addresses. */
  readonly setting: string;
  /** Words for the refusal of everything, such as "where packages may come from". */
  readonly lists: string;
  /** The addresses that `isGuarded` refuses, in words. */
  readonly refuses: string;
  readonly isGuarded: (address: string) => boolean;
}

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

export const nothingAllowed = ({ setting, lists }: UrlGuard): string =>
  `is refused: the setting ${setting} of the service, which lists ${lists}, is empty`;

const guardedBy = ({ setting, refuses }: UrlGuard, address: string): string =>
  `leads to ${address}: ${refuses} are refused unless ${setting} lists them`;

/** The host in the form that connections take: an IPv6 address without its brackets. */
export const hostnameOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** An operator who lists an address, or localhost, means to allow it. */
const isListed = (source: AllowedSource, address: string): boolean =>
  hostnameOf(source) === address ||
  (source.hostname === 'localhost' && !source.anySubdomain && (address === '::1' || address.startsWith('127.')));

export const createUrlPolicy =
  (guard: UrlGuard, allowed: readonly AllowedSource[]): UrlPolicy =>
  (text) => {
    if (allowed.length === 0) return refused(nothingAllowed(guard));
    const unclear = whyUnclear(text);
    if (unclear !== undefined) return refused(unclear);
    const url = new URL(text);
    const unfit = whyUnfit(url);
    if (unfit !== undefined) return refused(unfit);
    return judgeSource(
      guard,
      url,
      allowed.filter((source) => allows(source, url)),
    );
  };

const judgeSource = (guard: UrlGuard, url: URL, sources: readonly AllowedSource[]): UrlJudgement => {
  if (sources.length === 0) return refused(`is not under an address that the setting ${guard.setting} lists`);
  const whyNot = (address: string): string | undefined =>
    guard.isGuarded(address) && !sources.some((source) => isListed(source, address))
      ? guardedBy(guard, address)
      : undefined;
  const host = hostnameOf(url);
  const because = isIP(host) === 0 ? undefined : whyNot(host);
  return because === undefined ? { kind: 'accepted', url, whyNot } : refused(because);
};
