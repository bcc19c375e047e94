/** Failures of a proxy name the proxy: its errors would otherwise look like errors of the service behind it. */
import { Client, type Dispatcher, Pool } from 'undici';
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
export const shareOfProxy = 0.9;

class TunnelPool extends Pool {
  readonly #name: string;
  readonly #limitMs: number;

  constructor(proxy: URL, options: Pool.Options, timeoutMs: number) {
    super(proxy.origin, options);
    this.#name = shownProxy(proxy);
    this.#limitMs = timeoutMs * shareOfProxy;
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

interface OpenWayOptions {
  readonly options: Pool.Options;
  /** The limit of an answer; undefined: it has none. */
  readonly answerMs: number | undefined;
}

/** The connections to a proxy that passes requests on in the open (http:). */
export const openWayBy = (proxy: string | URL, { options, answerMs = 0 }: OpenWayOptions): Dispatcher =>
  new Pool(proxy, {
    ...options,
    ...connectByName(proxy, options),
    factory: (origin, given) => new OpenConnection(origin, given, { proxy, limitMs: answerMs * shareOfProxy }),
  });

const connectByName = (proxy: string | URL, { connect }: Pool.Options): Pool.Options => {
  if (typeof connect !== 'function') return {};
  return {
    connect: (target, callback) =>
      connect(target, (...result) => {
        if (result[0] === null) callback(...result);
        else callback(away(shownProxy(proxy), result[0]), null);
      }),
  };
};

interface SilenceOf {
  readonly proxy: string | URL;
  /** 0: none. */
  readonly limitMs: number;
}

class OpenConnection extends Client {
  readonly #silence: SilenceOf;

  constructor(origin: URL, options: object, silence: SilenceOf) {
    super(origin, options);
    this.#silence = silence;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { proxy, limitMs } = this.#silence;
    if (limitMs === 0) return super.dispatch(options, handler);
    const fault = new ProxyFault(
      `the proxy ${shownProxy(proxy)} did not answer ${options.method} ${options.path} within ${limitMs / 1000} s: ` +
        'it is silent, or the service behind it is',
    );
    return super.dispatch(options, endSilence(handler, limitMs, fault));
  }
}

/** Ends a request whose answer has not begun by the limit. */
const endSilence = (
  handler: Dispatcher.DispatchHandler,
  limitMs: number,
  fault: ProxyFault,
): Dispatcher.DispatchHandler => {
  let limit: NodeJS.Timeout | undefined;
  return {
    onRequestStart(controller, context) {
      limit = setTimeout(() => controller.abort(fault), limitMs);
      handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(...given) {
      clearTimeout(limit);
      handler.onResponseStart?.(...given);
    },
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError(...given) {
      clearTimeout(limit);
      handler.onResponseError?.(...given);
    },
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
