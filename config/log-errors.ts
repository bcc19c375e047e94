/**
 * Errors in the form that the log shows: message, type, code and stack, with their causes. Other properties are left
 * out, because libraries keep requests, headers and connection settings in them.
 */
import { types } from 'node:util';

/** Causes and nested objects deeper than this are cut off. */
const mostDepth = 6;

const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

const codeOf = (error: Error): { code?: string | number } => {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? { code } : {};
};

const describe = (error: Error, depth: number): object => ({
  type: error.constructor.name,
  message: error.message,
  ...codeOf(error),
  ...(error.stack !== undefined && { stack: error.stack }),
  ...(error.cause !== undefined && { cause: withErrors(error.cause, depth + 1) }),
  ...(error instanceof AggregateError && { errors: withErrors(error.errors, depth + 1) }),
});

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

/** The value with every error in it described, whatever its property is called. */
export const withErrors = (value: unknown, depth = 0): unknown => {
  if (depth > mostDepth) return '…';
  if (isError(value)) return describe(value, depth);
  if (Array.isArray(value)) return value.map((item: unknown) => withErrors(item, depth + 1));
  return isPlain(value) ? fieldsWithErrors(value, depth) : value;
};

/** The fields of a log line. */
export const fieldsWithErrors = (fields: object, depth = 0): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, withErrors(value, depth + 1)]));
