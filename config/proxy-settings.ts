/** The proxies to other services; rows of the table in settings-table.ts. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const proxySettings = {
  httpsProxy: optional('HTTPS_PROXY', 'the value of `HTTP_PROXY`', {
    meaning: 'Proxy by which addresses that begin with `https:` are reached; also as `https_proxy`.',
    parse: parse.proxyUrl,
  }),
  httpProxy: optional('HTTP_PROXY', 'none: they are reached directly', {
    meaning: 'Proxy by which addresses that begin with `http:` are reached; also as `http_proxy`.',
    parse: parse.proxyUrl,
  }),
  noProxy: optional('NO_PROXY', 'none', {
    meaning:
      'Names and addresses that are reached without the proxies, separated by commas: `.example.org` for all names under it, `*` for all; also as `no_proxy`.',
    parse: parse.anyText,
  }),
  proxyResolves: withDefault('PARLEY_PROXY_RESOLVES', 'off', {
    meaning:
      'Names of webhooks and downloads that this machine cannot resolve: `off` refuses them, because nobody can judge their addresses; `on` lets the proxy resolve them, which must then refuse private addresses itself.',
    parse: parse.oneOf('off', 'on'),
  }),
} as const;

type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** The environment, in which a lower-case name of a proxy goes before the upper-case name, as for other programs. */
export const withProxyNames = (env: ProxyEnvironment): ProxyEnvironment => {
  const { http_proxy: http = '', https_proxy: https = '', no_proxy: none = '' } = env;
  return {
    ...env,
    ...(http.trim() !== '' && { HTTP_PROXY: http }),
    ...(https.trim() !== '' && { HTTPS_PROXY: https }),
    ...(none.trim() !== '' && { NO_PROXY: none }),
  };
};
