/**
 * Copies the fields of an object that its schema names. A copy takes a quarter of the memory of an object from which
 * the other fields were deleted: deleting turns it into a table of its own, and copies share one layout.
 */
import { type TSchema, TypeGuard } from '@sinclair/typebox';

type Copy = (value: unknown) => unknown;

/** Has the whole object once more, for `kubectl apply` alone. */
const unreadAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** @returns a function for values that fit the schema */
export const copierOf = (schema: TSchema): Copy => {
  if (TypeGuard.IsObject(schema)) return copyFields(Object.entries(schema.properties));
  if (TypeGuard.IsArray(schema)) return copyItems(copierOf(schema.items));
  return TypeGuard.IsRecord(schema) ? copyRecord : (value) => value;
};

const copyFields = (properties: readonly (readonly [string, TSchema])[]): Copy => {
  const fields = properties.map(([name, schema]) => [name, copierOf(schema)] as const);
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>;
    const kept: Record<string, unknown> = {};
    for (const [name, copy] of fields) {
      const one = given[name];
      if (one !== undefined) kept[name] = copy(one);
    }
    return kept;
  };
};

const copyItems =
  (copy: Copy): Copy =>
  (value) =>
    (value as readonly unknown[]).map(copy);

const copyRecord: Copy = (value) => withoutUnread(value as Readonly<Record<string, unknown>>);

const withoutUnread = ({ [unreadAnnotation]: _, ...read }: Readonly<Record<string, unknown>>): unknown => read;
