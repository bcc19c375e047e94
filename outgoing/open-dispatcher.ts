/**
 * Opens connections to other services over HTTP, directly or by the proxies of the settings. All of the service's own
 * HTTP goes through here, so that no part of the service looks for a way of its own.
 */
import type { LookupFunction } from 'node:net';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { openTunnels, openWayBy, refuseByName, shareOfProxy } from './named-proxy';
import type { ProxySettings } from './proxies';

export interface OutgoingWay {
  readonly proxies: ProxySettings;
  /** The limit for a connection, and for a tunnel through a proxy. */
  readonly timeoutMs: number;
  /** The limit for the beginning of an answer, by which a silent proxy is named. Left out: none. */
  readonly answerMs?: number;
  /** How the other service is trusted, and how this one proves who it is. */
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  /** Resolves names of services that are reached directly. A proxy resolves the others. */
  readonly lookup?: LookupFunction;
  /** Left out: true. */
  readonly allowsHttp2?: boolean;
}

export const openDispatcher = ({
  proxies,
  timeoutMs,
  answerMs,
  tls = {},
  lookup,
  allowsHttp2 = true,
}: OutgoingWay): Dispatcher => {
  const allowH2 = allowsHttp2;
  const agent = new EnvHttpProxyAgent({
    // An empty text keeps undici from looking into the environment, which only the settings read.
    httpProxy: proxies.httpProxy ?? '',
    httpsProxy: proxies.httpsProxy ?? '',
    noProxy: proxies.noProxy ?? '',
    allowH2,
    connect: { timeout: timeoutMs, ...tls, ...(lookup !== undefined && { lookup }) },
    connectTimeout: timeoutMs * shareOfProxy,
    requestTls: { allowH2, ...tls },
    clientFactory: (proxy, options) => openTunnels(proxy, { options, timeoutMs }),
    factory: (origin, options: Pool.Options) =>
      isProxy(origin, proxies) ? openWayBy(origin, { options, answerMs }) : new Pool(origin, options),
  });
  return proxies.httpProxy === undefined ? agent : agent.compose(refuseByName(proxies.httpProxy));
};

const isProxy = (origin: string | URL, { httpProxy, httpsProxy }: ProxySettings): boolean =>
  [httpProxy, httpsProxy].some((proxy) => proxy !== undefined && new URL(proxy).href === new URL(origin).href);
