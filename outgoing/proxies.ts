/** The proxies by which the service reaches other services, and which of these it reaches without one. */

/** Part of config/settings.ts; each field is a row of the settings table. Addresses without a proxy: all. */
export interface ProxySettings {
  /** The proxy for addresses that begin with http:. */
  readonly httpProxy?: string | undefined;
  /** The proxy for addresses that begin with https:. Left out: `httpProxy`. */
  readonly httpsProxy?: string | undefined;
  /** Names and addresses that are reached without a proxy, separated by commas. */
  readonly noProxy?: string | undefined;
}

/** All addresses by one proxy, whatever the settings say. */
export const onlyBy = (proxy: string): ProxySettings => ({ httpProxy: proxy, httpsProxy: proxy });

/** No SOCKS: undici calls its way of it experimental, and Node.js sends no traces by it. */
const schemes = ['http:', 'https:'];

/** Completes `gateway.example.org`, as most programs read it. @returns undefined when the text names no proxy */
export const parseProxy = (given: string): string | undefined => {
  const text = given.includes('://') ? given : `http://${given}`;
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, pathname, search } = new URL(text);
  return schemes.includes(protocol) && hostname !== '' && ['', '/'].includes(pathname) && search === ''
    ? text
    : undefined;
};

/** The address of a proxy without its login. */
export const shownProxy = (proxy: string | URL): string => {
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
};
