/**
 * A kind of object: where it is served, and which of its fields are read. All other fields are left behind when an
 * object is parsed, so that a cluster with thousands of pods fits into little memory.
 */
import { type Static, type TObject, type TProperties, Type, TypeGuard } from '@sinclair/typebox';
import { Ajv, type DefinedError, type ValidateFunction } from 'ajv';
import { schemaFault } from '../../../rules/words/schema-fault';
import { copierOf } from './kept-fields';

const ajv = new Ajv({ allErrors: false });

/** A time within an object. A time that nobody has set comes as null: Kubernetes leaves out no empty time. */
export const time = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const words = Type.Record(Type.String(), Type.String());

/** The fields of `metadata` that are read of every kind. */
const metadataSchema = Type.Object({
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  uid: Type.Optional(Type.String()),
  resourceVersion: Type.Optional(Type.String()),
  generation: Type.Optional(Type.Integer()),
  creationTimestamp: Type.Optional(Type.String()),
  deletionTimestamp: Type.Optional(Type.String()),
  labels: Type.Optional(words),
  annotations: Type.Optional(words),
  ownerReferences: Type.Optional(
    Type.Array(
      Type.Object({
        apiVersion: Type.String(),
        kind: Type.String(),
        name: Type.String(),
        uid: Type.String(),
        controller: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
});
export type ObjectMetadata = Static<typeof metadataSchema>;

/** The name of an object for people: with its namespace, where it has one. */
export const nameWithNamespace = ({ metadata: { namespace, name } }: { readonly metadata: ObjectMetadata }): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Names a kind, and the fields that are read: also those of `metadata` that it alone needs. */
export interface ResourceOptions<Fields extends TProperties> {
  /** The group and its version; the core group has no name. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly fields: Fields;
}

export interface Resource<T> {
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in paths, such as `pods`. */
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** The path of the kind, or of its objects in a namespace. */
  pathIn(namespace?: string): string;
  /** @throws Error that names the kind, the object, the field and its fault */
  parse(value: unknown): T;
}

/** An object of a resource. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;

type WithMetadata<Fields extends TProperties> = Static<TObject<Fields>> & { readonly metadata: ObjectMetadata };

export const defineResource = <Fields extends TProperties>({
  apiVersion,
  kind,
  isNamespaced,
  fields,
}: ResourceOptions<Fields>): Resource<WithMetadata<Fields>> => {
  const { metadata: further } = fields;
  const metadata = Type.Object({
    ...metadataSchema.properties,
    ...(TypeGuard.IsObject(further) && further.properties),
  });
  const schema = Type.Object({ ...fields, metadata });
  let fits: ValidateFunction<WithMetadata<Fields>> | undefined;
  const copy = copierOf(schema);
  const plural = `${kind.toLowerCase()}s`;
  const root = `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
  return {
    apiVersion,
    kind,
    plural,
    isNamespaced,
    pathIn: (namespace) =>
      namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`,
    parse(value) {
      fits ??= ajv.compile<WithMetadata<Fields>>(schema); // compiled when the first object comes
      if (fits(value)) return copy(value) as WithMetadata<Fields>;
      const [error] = (fits.errors ?? []) as DefinedError[];
      const { pointer, message } = error ? schemaFault(error) : { pointer: '', message: 'is not as expected' };
      throw new Error(`the Kubernetes API gave a ${kind} whose ${pointer} ${message}`);
    },
  };
};
