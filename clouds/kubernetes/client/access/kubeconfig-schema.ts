/** The parts of a kubeconfig that count here. */
import { type Static, Type } from '@sinclair/typebox';
import { parserOf } from '../../../http/parse-answer';
import { execSchema } from './exec-credential';

const text = Type.Optional(Type.String());

const clusterSchema = Type.Object({
  server: Type.String({ minLength: 1 }),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': Type.Optional(Type.Boolean()),
  'tls-server-name': text,
  'proxy-url': text,
});
export type KubeconfigCluster = Static<typeof clusterSchema>;

const userSchema = Type.Object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  username: text,
  exec: Type.Optional(execSchema),
  'auth-provider': Type.Optional(Type.Unknown()),
});
export type KubeconfigUser = Static<typeof userSchema>;

/** Tools write null for an empty list. */
const orNull = Type.Null();
const name = Type.String();

const kubeconfigSchema = Type.Object({
  'current-context': Type.Optional(Type.Union([Type.String(), orNull])),
  contexts: Type.Optional(
    Type.Union([
      Type.Array(Type.Object({ name, context: Type.Object({ cluster: Type.String(), user: text }) })),
      orNull,
    ]),
  ),
  clusters: Type.Optional(Type.Union([Type.Array(Type.Object({ name, cluster: clusterSchema })), orNull])),
  users: Type.Optional(Type.Union([Type.Array(Type.Object({ name, user: userSchema })), orNull])),
});
export type Kubeconfig = Static<typeof kubeconfigSchema>;

/** @throws Error that names the file, the field and its fault */
export const parseKubeconfig = (file: string, content: unknown): Kubeconfig =>
  parserOf(`the kubeconfig ${file}`, kubeconfigSchema)(content);
