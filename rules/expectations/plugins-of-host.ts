/**
 * Which of a session's action plug-ins run on a host, and how long they take where the request says it. The work on a
 * host, the times that are kept of maintenances, and every expectation ask here.
 */

export interface Plugin {
  readonly plugin: string;
  readonly type: 'pre' | 'post' | 'host' | 'compute' | 'controller';
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A plug-in, as far as its time can be told. */
export interface TimedPlugin extends Pick<Plugin, 'type'> {
  /** Undefined: the request does not say it. */
  readonly seconds?: number;
}

export interface KindOfHost {
  /** `compute` or `controller`. */
  readonly type: string;
  readonly isCompute: boolean;
}

/** A controller that is a compute as well runs the plug-ins of both; `pre` and `post` run on no host. */
export const runsOn = (type: Plugin['type'], host: KindOfHost): boolean =>
  type === 'host' || (type === 'compute' ? host.isCompute : type === host.type);

/** The names of the hosts on which none of the plug-ins runs. */
export const hostsWithoutPlugin = (
  plugins: readonly Pick<Plugin, 'type'>[],
  hosts: readonly (KindOfHost & { readonly hostname: string })[],
): string[] => hosts.filter((host) => !plugins.some(({ type }) => runsOn(type, host))).map(({ hostname }) => hostname);

/** Only `dummy` says beforehand how long it takes. */
export const asTimedPlugin = ({ plugin, type, metadata }: Plugin): TimedPlugin => {
  const seconds = plugin === 'dummy' ? metadata['seconds'] : undefined;
  return typeof seconds === 'number' && seconds >= 0 ? { type, seconds } : { type };
};

/** The seconds of a host's plug-ins; undefined where the request does not say it of all of them. 0: none runs there. */
export const secondsTold = (plugins: readonly TimedPlugin[], host: KindOfHost): number | undefined => {
  const run = plugins.filter(({ type }) => runsOn(type, host));
  return run.reduce<number | undefined>(
    (sum, { seconds }) => (sum === undefined || seconds === undefined ? undefined : sum + seconds),
    0,
  );
};
