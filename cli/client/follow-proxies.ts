/** The proxies of the environment, which lead to the API and to Keystone. Programs on this machine need none. */
import { withProxyNames } from '../../config/proxy-settings';
import { parseProxy, type ProxySettings } from '../../outgoing/proxies';
import { CommandFailure, exitCodes } from './exit';

const thisMachine = 'localhost,127.0.0.1,[::1]';

/** @throws CommandFailure that names a variable that holds no proxy */
export const proxiesIn = (env: NodeJS.ProcessEnv): ProxySettings => {
  const given = withProxyNames(env);
  const proxyOf = (name: string): string | undefined => {
    const text = given[name]?.trim() ?? '';
    const proxy = parseProxy(text);
    if (text === '' || proxy !== undefined) return proxy;
    throw new CommandFailure(`${name} is not the address of an http or https proxy`, exitCodes.usage, [
      'such as http://gateway.example.org',
    ]);
  };
  const noProxy = [given['NO_PROXY'] ?? '', thisMachine].join(',');
  return { httpProxy: proxyOf('HTTP_PROXY'), httpsProxy: proxyOf('HTTPS_PROXY'), noProxy };
};

const connectMs = 10_000;

/** Lets all further requests of this process follow the proxies. undici is loaded only where there is one. */
export const followProxies = async (proxies: ProxySettings): Promise<void> => {
  if (proxies.httpProxy === undefined && proxies.httpsProxy === undefined) return;
  const [{ setGlobalDispatcher }, { openDispatcher }] = await Promise.all([
    import('undici'),
    import('../../outgoing/open-dispatcher.js'),
  ]);
  setGlobalDispatcher(openDispatcher({ proxies, timeoutMs: connectMs }));
};
