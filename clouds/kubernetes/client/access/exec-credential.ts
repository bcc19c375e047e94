/**
 * Runs a credential plug-in, as the managed clouds use them: a program whose output is an ExecCredential
 * (client.authentication.k8s.io, v1 or v1beta1). It can ask nothing of a person.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { childEnvironment } from '../../../../startup/child-environment';
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
  readonly 'proxy-url'?: string;
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
  const variables = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  const env = childEnvironment({ ...variables, KUBERNETES_EXEC_INFO: JSON.stringify(info) });
  try {
    const { stdout } = await run(commandIn(folder, exec.command), [...(exec.args ?? [])], { env, timeout: timeoutMs });
    return stdout;
  } catch (error) {
    const hint = exec.installHint === undefined ? '' : ` ${exec.installHint.trim()}`;
    // Without the error as its cause: that has the whole command line, which may hold secrets.
    throw new AccessFault(
      `the credential plug-in ${exec.command} of the kubeconfig failed: ${reasonOf(error, timeoutMs)}.${hint}`,
    );
  }
};

/** A command without a slash is looked for in PATH. */
const commandIn = (folder: string, command: string): string =>
  command.includes('/') ? path.resolve(folder, command) : command;

/** The part of an error of `execFile` that tells no arguments. A code in words: it did not run. */
const programError = Type.Partial(
  Type.Object({
    stderr: Type.String(),
    killed: Type.Boolean(),
    signal: Type.Union([Type.String(), Type.Null()]),
    code: Type.Union([Type.Number(), Type.String(), Type.Null()]),
  }),
);

/** The last line that the plug-in said, or how it ended. The message of Node.js would tell the whole command line. */
const reasonOf = (error: unknown, timeoutMs: number): string => {
  const { stderr = '', killed = false, signal, code } = Value.Check(programError, error) ? error : {};
  const said = stderr.trim();
  if (said !== '') return said.split('\n').slice(-1).join('');
  if (killed) return `it took more than ${timeoutMs / 1000} s`;
  if (signal) return `it was ended by ${signal}`;
  return typeof code === 'number' ? `it ended with code ${code}` : `it cannot be run (${code ?? 'no reason given'})`;
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
