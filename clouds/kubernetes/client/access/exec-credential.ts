/**
 * Runs a credential plug-in, as the managed clouds use them: a program whose output is an ExecCredential
 * (client.authentication.k8s.io, v1 or v1beta1). It can ask nothing of a person.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { parserOf } from '../../../http/parse-answer';
import { AccessFault, type ClusterCredentials } from './cluster-access';
import { type LastingCredential, renewedCredentials } from './credentials';

export const execSchema = Type.Object({
  apiVersion: Type.String(),
  command: Type.String({ minLength: 1 }),
  args: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  env: Type.Optional(Type.Union([Type.Array(Type.Object({ name: Type.String(), value: Type.String() })), Type.Null()])),
  installHint: Type.Optional(Type.String()),
  provideClusterInfo: Type.Optional(Type.Boolean()),
});
export type ExecConfig = Static<typeof execSchema>;

/** Describes the cluster to a plug-in whose configuration asks for that (provideClusterInfo). */
export interface ClusterInfo {
  readonly server: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
}

export interface ExecOptions {
  readonly exec: ExecConfig;
  readonly cluster: ClusterInfo;
  /** The folder of the kubeconfig, to which a command with a slash in it is relative. */
  readonly folder: string;
  /** The limit of one run. Left out: half a minute. */
  readonly timeoutMs?: number;
}

const parseCredential = parserOf(
  'the credential plug-in',
  Type.Object({
    status: Type.Object({
      token: Type.Optional(Type.String()),
      clientCertificateData: Type.Optional(Type.String()),
      clientKeyData: Type.Optional(Type.String()),
      expirationTimestamp: Type.Optional(Type.String()),
    }),
  }),
);

export const execCredentials = (options: ExecOptions): ClusterCredentials =>
  renewedCredentials(async () => credentialIn(options.exec.command, await runPlugin(options)));

const run = promisify(execFile);

const runPlugin = async ({ exec, cluster, folder, timeoutMs = 30_000 }: ExecOptions): Promise<string> => {
  const info = {
    apiVersion: exec.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec.provideClusterInfo === true && { cluster }) },
  };
  const variables = [...(exec.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }];
  // The program `env` adds to the environment of this process, which is read in config/ alone.
  const words = [...variables.map(({ name, value }) => `${name}=${value}`), commandIn(folder, exec.command)];
  try {
    const { stdout } = await run('env', [...words, ...(exec.args ?? [])], { timeout: timeoutMs });
    return stdout;
  } catch (cause) {
    const hint = exec.installHint === undefined ? '' : ` ${exec.installHint.trim()}`;
    throw new AccessFault(
      `the credential plug-in ${exec.command} of the kubeconfig failed: ${reasonOf(cause)}.${hint}`,
      { cause },
    );
  }
};

/** A command without a slash is looked for in PATH. */
const commandIn = (folder: string, command: string): string =>
  command.includes('/') ? path.resolve(folder, command) : command;

/** The message of Node.js begins with the whole command line; what the plug-in said is after it. */
const reasonOf = (cause: unknown): string => {
  const said = typeof cause === 'object' && cause !== null && 'stderr' in cause ? String(cause.stderr).trim() : '';
  if (said !== '') return said.split('\n').slice(-1).join('');
  return cause instanceof Error ? cause.message : String(cause);
};

const credentialIn = (command: string, output: string): LastingCredential => {
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = statusIn(command, output);
  const hasCertificate = clientCertificateData !== undefined && clientKeyData !== undefined;
  if (token === undefined && !hasCertificate) {
    throw new AccessFault(`the credential plug-in ${command} of the kubeconfig gave neither a token nor a certificate`);
  }
  const endsAtMs = Date.parse(expirationTimestamp ?? '');
  return {
    credential: {
      ...(token !== undefined && { token }),
      ...(hasCertificate && { certificate: { cert: clientCertificateData, key: clientKeyData } }),
    },
    ...(!Number.isNaN(endsAtMs) && { endsAtMs }),
  };
};

const statusIn = (command: string, output: string) => {
  try {
    return parseCredential(JSON.parse(output)).status;
  } catch (cause) {
    throw new AccessFault(`the output of the credential plug-in ${command} of the kubeconfig is no ExecCredential`, {
      cause,
    });
  }
};
