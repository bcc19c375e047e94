/** Failures of a proxy name the proxy: its errors would otherwise look like errors of the service behind it. */
import { type Dispatcher, Pool } from 'undici';
import { shownProxy } from './proxies';

/** The proxy cannot be reached, is silent, or refuses. The service behind it may be well. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault';
}

interface TunnelOptions {
  readonly options: Pool.Options;
  readonly timeoutMs: number;
}

/** The connections to a proxy on which it opens tunnels (CONNECT). */
export const openTunnels = (proxy: URL, { options, timeoutMs }: TunnelOptions): Dispatcher =>
  new TunnelPool(proxy, options, timeoutMs);

/** The share of a time limit in which a proxy answers: the end of the whole limit would not name the proxy. */
const shareOfLimit = 0.9;

class TunnelPool extends Pool {
  readonly #name: string;
  readonly #limitMs: number;

  constructor(proxy: URL, options: Pool.Options, timeoutMs: number) {
    super(proxy.origin, options);
    this.#name = shownProxy(proxy);
    this.#limitMs = timeoutMs * shareOfLimit;
  }

  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(
    options: Dispatcher.ConnectOptions,
    callback: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): void;
  override connect(
    options: Dispatcher.ConnectOptions,
    callback?: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): Promise<Dispatcher.ConnectData> | undefined {
    if (callback === undefined) return this.#openTunnel(options);
    super.connect(options, callback);
    return undefined;
  }

  async #openTunnel(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const limit = AbortSignal.timeout(this.#limitMs);
    const answer = await super.connect({ ...options, signal: limit }).catch((cause: unknown) => {
      throw limit.aborted ? this.#silent(options.path) : away(this.#name, cause);
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw new ProxyFault(`the proxy ${this.#name} refused CONNECT to ${options.path}: ${answer.statusCode}`);
  }

  readonly #silent = (target: string): ProxyFault =>
    new ProxyFault(`the proxy ${this.#name} did not answer CONNECT to ${target} within ${this.#limitMs / 1000} s`);
}

const away = (name: string, cause: unknown): ProxyFault => {
  const reason = cause instanceof AggregateError ? String(cause.errors[0]) : messageOf(cause);
  return new ProxyFault(`the proxy ${name} cannot be reached: ${reason}`, { cause });
};

const messageOf = (error: unknown): string => {
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined;
  return typeof message === 'string' ? message : String(error);
};

/** The options of connections to a proxy that passes requests on in the open (http:). */
export const toProxy = (proxy: string | URL, options: Pool.Options): Pool.Options => {
  const { connect } = options;
  if (typeof connect !== 'function') return options;
  return {
    ...options,
    connect: (target, callback) =>
      connect(target, (...result) => {
        if (result[0] === null) callback(...result);
        else callback(away(shownProxy(proxy), result[0]), null);
      }),
  };
};

/** The words of undici for the 407 of a proxy that passes requests on. */
const asksForLogin = 'Proxy Authentication Required (407)';

/** Turns the 407 of a proxy that passes requests on into an error that names it. */
export const refuseByName =
  (proxy: string): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    let isRefused = false;
    return dispatch(options, {
      onRequestStart: (...given) => handler.onRequestStart?.(...given),
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => (isRefused ? undefined : handler.onResponseData?.(...given)),
      onResponseEnd: (...given) => (isRefused ? undefined : handler.onResponseEnd?.(...given)),
      onResponseError(controller, error) {
        if (isRefused) return;
        isRefused = error.message === asksForLogin;
        if (!isRefused) return handler.onResponseError?.(controller, error);
        const target = `${options.method} to ${String(options.origin)}`;
        const fault = new ProxyFault(`the proxy ${shownProxy(proxy)} refused ${target}: 407`, { cause: error });
        handler.onResponseError?.(controller, fault);
        controller.abort(fault); // undici would read on
      },
    });
  };
