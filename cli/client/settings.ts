/**
 * Where the API is and who calls it: flag over environment over the context of the configuration file. A context that
 * `--context` names comes before the environment, and the token of a context goes to its own address only.
 */
import type { KeystoneSettings } from '../../clouds/keystone/keystone-settings';
import { readKeystone } from '../../config/keystone-variables';
import { readContexts } from './contexts';
import type { Context } from './contexts-in';
import { CommandFailure, exitCodes, withoutPasswords } from './exit';
import { proxiesIn } from './follow-proxies';

export interface ApiFlags {
  readonly url?: string;
  readonly context?: string;
}

export interface CallerSettings {
  /** The address, with /v1 and without a slash at the end. */
  readonly url: string;
  readonly token: (isStale: boolean) => Promise<string | undefined>;
}

const localUrl = 'http://127.0.0.1:12347';

/** `http://host:12347`, with or without /v1 and slashes at the end. */
export const withVersion = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;

export const readSettings = async (env: NodeJS.ProcessEnv, flags: ApiFlags): Promise<CallerSettings> => {
  const context = await contextOf(env, flags.context);
  const isNamed = flags.context !== undefined;
  const ownUrl = withVersion(context.url ?? localUrl);
  const url = withVersion(flags.url ?? (isNamed ? undefined : set(env['PARLEY_URL'])) ?? ownUrl);
  if (!URL.canParse(url)) {
    throw new CommandFailure(`${withoutPasswords(url)} is no address`, exitCodes.usage, [
      'such as http://parley.example:12347',
    ]);
  }
  const variable = url === ownUrl ? context.token_from : undefined;
  const token =
    isNamed && url === ownUrl ? tokenOfNamed(env, variable) : (set(env['PARLEY_TOKEN']) ?? tokenIn(env, variable));
  return { url, token: tokenSource(env, token) };
};

const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

const contextOf = async (env: NodeJS.ProcessEnv, named: string | undefined): Promise<Context> => {
  const { current, contexts } = await readContexts(env);
  const name = named ?? set(env['PARLEY_CONTEXT']) ?? current;
  if (name === undefined) return {};
  const context = contexts[name];
  if (context !== undefined) return context;
  const known = Object.keys(contexts).join(', ') || 'none';
  throw new CommandFailure(`there is no context ${name}`, exitCodes.usage, [`known: ${known}`]);
};

const tokenIn = (env: NodeJS.ProcessEnv, variable: string | undefined): string | undefined =>
  variable === undefined ? undefined : set(env[variable]);

/** No other token goes to a context that names the variable of its own. */
const tokenOfNamed = (env: NodeJS.ProcessEnv, variable: string | undefined): string | undefined => {
  const token = tokenIn(env, variable);
  if (variable === undefined || token !== undefined) return token;
  throw new CommandFailure(`${variable} is not set, which holds the token of the context`, exitCodes.signIn);
};

const tokenSource = (env: NodeJS.ProcessEnv, given: string | undefined): CallerSettings['token'] => {
  if (given !== undefined) return (isStale) => Promise.resolve(isStale ? undefined : given);
  const keystone = keystoneIn(env);
  if (keystone === undefined) return () => Promise.resolve(undefined);
  let token: Promise<string> | undefined;
  return (isStale) => {
    if (isStale) token = undefined;
    token ??= import('./keystone-sign-in.js').then(({ signIn }) =>
      signIn(keystone, { caFile: set(env['OS_CACERT']), proxies: proxiesIn(env) }),
    );
    return token;
  };
};

/** The variables of `openstack`; only their names are told in errors. */
const keystoneIn = (env: NodeJS.ProcessEnv): KeystoneSettings | undefined => {
  const authUrl = set(env['OS_AUTH_URL']);
  if (authUrl === undefined) return undefined;
  const read = readKeystone({
    osAuthUrl: authUrl.replace(/\/+$/, '').replace(/(\/v3)?$/, '/v3'),
    osUsername: set(env['OS_USERNAME']),
    osUserId: set(env['OS_USER_ID']),
    osPassword: set(env['OS_PASSWORD']),
    osUserDomainName: set(env['OS_USER_DOMAIN_NAME']),
    osUserDomainId: set(env['OS_USER_DOMAIN_ID']),
    osProjectName: set(env['OS_PROJECT_NAME']),
    osProjectId: set(env['OS_PROJECT_ID']),
    osProjectDomainName: set(env['OS_PROJECT_DOMAIN_NAME']),
    osProjectDomainId: set(env['OS_PROJECT_DOMAIN_ID']),
    osApplicationCredentialId: set(env['OS_APPLICATION_CREDENTIAL_ID']),
    osApplicationCredentialSecret: set(env['OS_APPLICATION_CREDENTIAL_SECRET']),
  });
  if ('value' in read) return read.value;
  throw new CommandFailure(`OS_AUTH_URL is set, but not ${read.missing.join(', ')}`, exitCodes.signIn);
};
