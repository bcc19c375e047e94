/**
 * Access by kubeconfig files, as kubectl reads them: several are merged, and the first that has a name wins. A path in
 * a file is relative to that file.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { parseProxy } from '../../../../outgoing/proxies';
import { AccessFault, type ClientCertificate, type ClusterAccess, type ClusterCredentials } from './cluster-access';
import { fixedCredentials } from './credentials';
import { type ClusterInfo, execCredentials } from './exec-credential';
import { type Kubeconfig, type KubeconfigCluster, type KubeconfigUser, parseKubeconfig } from './kubeconfig-schema';
import { tokenFileCredentials } from './token-file';

export interface KubeconfigOptions {
  /** The files in the order in which they are merged. One that is missing is passed over, as kubectl does. */
  readonly files: readonly string[];
  /** Left out: the current context. */
  readonly context?: string | undefined;
}

/** A value of a kubeconfig, with the folder to which its paths are relative. */
interface Placed<T> {
  readonly value: T;
  readonly folder: string;
}

/** @throws AccessFault that names the file or the entry that is missing or wrong */
export const kubeconfigAccess = (options: KubeconfigOptions): ClusterAccess => {
  const { contexts, clusters, users, currentContext, where } = mergeFiles(options.files);
  const context = options.context ?? currentContext;
  if (context === undefined) {
    throw new AccessFault(`the kubeconfig ${where} has no current context; set PARLEY_KUBERNETES_CONTEXT`);
  }
  const entry = <T>(kind: string, name: string, all: ReadonlyMap<string, Placed<T>>): Placed<T> => {
    const found = all.get(name);
    if (found !== undefined) return found;
    throw new AccessFault(`the kubeconfig ${where} has no ${kind} "${name}"; it has ${[...all.keys()].join(', ')}`);
  };
  const { cluster: clusterName, user: userName = '' } = entry('context', context, contexts).value;
  const cluster = entry('cluster', clusterName, clusters);
  const reached = reachCluster(cluster);
  const user = userName === '' ? undefined : entry('user', userName, users);
  const files = [...options.files, ...filesOf(cluster), ...(user === undefined ? [] : filesOf(user))];
  if (user === undefined) return { ...reached, files, credentials: fixedCredentials({}) };
  return { ...reached, files, credentials: credentialsOf(user, { userName, cluster: clusterInfo(reached) }) };
};

interface Merged {
  readonly contexts: ReadonlyMap<string, Placed<{ readonly cluster: string; readonly user?: string }>>;
  readonly clusters: ReadonlyMap<string, Placed<KubeconfigCluster>>;
  readonly users: ReadonlyMap<string, Placed<KubeconfigUser>>;
  readonly currentContext: string | undefined;
  /** The names of the files, for errors. */
  readonly where: string;
}

const mergeFiles = (files: readonly string[]): Merged => {
  const where = files.join(', ');
  const read = files.filter((file) => existsSync(file)).map(readKubeconfig);
  if (read.length === 0) throw new AccessFault(`there is no kubeconfig at ${where}`);
  const merge = <T>(entriesOf: (content: Kubeconfig) => (readonly [string, T])[] | undefined) => {
    const all = read.flatMap(({ value, folder }) =>
      (entriesOf(value) ?? []).map(([name, each]) => [name, { value: each, folder }] as const),
    );
    return new Map(all.reverse()); // the first one of a name wins
  };
  return {
    contexts: merge((content) => content.contexts?.map(({ name, context }) => [name, context])),
    clusters: merge((content) => content.clusters?.map(({ name, cluster }) => [name, cluster])),
    users: merge((content) => content.users?.map(({ name, user }) => [name, user])),
    currentContext: read.map(({ value }) => value['current-context'] ?? '').find((name) => name !== ''),
    where,
  };
};

const readKubeconfig = (file: string): Placed<Kubeconfig> => {
  try {
    return {
      value: parseKubeconfig(file, parse(readFileSync(file, 'utf8'))),
      folder: path.dirname(path.resolve(file)),
    };
  } catch (cause) {
    throw new AccessFault(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

/** The files of certificates and keys that an entry names. */
const filesOf = ({ value, folder }: Placed<KubeconfigCluster | KubeconfigUser>): string[] => {
  const named =
    'server' in value ? [value['certificate-authority']] : [value['client-certificate'], value['client-key']];
  return named.flatMap((file = '') => (file === '' ? [] : [path.resolve(folder, file)]));
};

type Reached = Omit<ClusterAccess, 'credentials' | 'files'>;

const reachCluster = ({ value, folder }: Placed<KubeconfigCluster>): Reached => {
  const proxy = proxyOf(value);
  const ca = textOf(folder, {
    name: 'certificate-authority',
    data: value['certificate-authority-data'],
    file: value['certificate-authority'],
  });
  const serverName = value['tls-server-name'];
  return {
    server: value.server.replace(/\/+$/, ''),
    isVerified: value['insecure-skip-tls-verify'] !== true,
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { serverName }),
    ...(proxy !== undefined && { proxy }),
  };
};

const proxyOf = ({ server, 'proxy-url': given = '' }: KubeconfigCluster): string | undefined => {
  const proxy = given === '' ? undefined : parseProxy(given);
  if (given === '' || proxy !== undefined) return proxy;
  throw new AccessFault(
    `the kubeconfig reaches ${server} by the proxy-url ${JSON.stringify(given.replace(/:[^:@/]*@/, ':…@'))}; ` +
      'it must be an http or https address such as http://gateway.example.org',
  );
};

const clusterInfo = ({ server, ca, serverName, isVerified, proxy }: Reached): ClusterInfo => ({
  server,
  ...(proxy !== undefined && { 'proxy-url': proxy }),
  ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
  ...(serverName !== undefined && { 'tls-server-name': serverName }),
  ...(!isVerified && { 'insecure-skip-tls-verify': true }),
});

interface KubeconfigParts {
  readonly userName: string;
  readonly cluster: ClusterInfo;
}

/** A token goes before a token's file, and both before a plug-in, as in kubectl. */
const credentialsOf = (user: Placed<KubeconfigUser>, { userName, cluster }: KubeconfigParts): ClusterCredentials => {
  const { token, tokenFile, exec, username, 'auth-provider': authProvider } = user.value;
  const certificate = certificateOf(user);
  if (tokenFile !== undefined) return tokenFileCredentials(path.resolve(user.folder, tokenFile), certificate);
  if (token !== undefined || certificate !== undefined) {
    return fixedCredentials({
      ...(token !== undefined && { token }),
      ...(certificate !== undefined && { certificate }),
    });
  }
  if (exec !== undefined) return execCredentials({ exec, cluster, folder: user.folder });
  const instead = 'use a token, a client certificate or a credential plug-in (exec)';
  if (authProvider !== undefined) {
    throw new AccessFault(
      `user "${userName}" of the kubeconfig has an auth-provider, which Kubernetes no longer knows; ${instead}`,
    );
  }
  if (username !== undefined) {
    throw new AccessFault(
      `user "${userName}" of the kubeconfig has a password, which Kubernetes no longer takes; ${instead}`,
    );
  }
  return fixedCredentials({});
};

const certificateOf = ({ value, folder }: Placed<KubeconfigUser>): ClientCertificate | undefined => {
  const cert = textOf(folder, {
    name: 'client-certificate',
    data: value['client-certificate-data'],
    file: value['client-certificate'],
  });
  const key = textOf(folder, { name: 'client-key', data: value['client-key-data'], file: value['client-key'] });
  return cert === undefined || key === undefined ? undefined : { cert, key };
};

/** The text that a kubeconfig holds itself (`…-data`, in base64), or keeps in a file. */
interface TextField {
  readonly name: string;
  readonly data: string | undefined;
  readonly file: string | undefined;
}

const textOf = (folder: string, { name: field, data = '', file = '' }: TextField): string | undefined => {
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
  if (file === '') return undefined;
  const name = path.resolve(folder, file);
  const fault = (how: string, cause?: unknown) =>
    new AccessFault(`the file ${name}, which the kubeconfig names as ${field}, ${how}`, { cause });
  try {
    const text = readFileSync(name, 'utf8');
    if (text !== '') return text;
  } catch (cause) {
    throw fault('cannot be read', cause);
  }
  throw fault('is empty');
};
