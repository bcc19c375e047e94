/** Reads the answers of another system: values by their JSON pointers, and conditions on them. */
import { fillText, type Values } from './fill';
import type { HttpChoice, HttpCondition, HttpKeep } from './http-metadata';

export interface JobAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none, or it is not JSON. */
  readonly body: unknown;
}

/** RFC 6901. Undefined: the value has no such part. */
export const partOf = (value: unknown, pointer: string): unknown => {
  if (pointer === '') return value;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (part, token) =>
        typeof part === 'object' && part !== null && Object.hasOwn(part, token)
          ? (part as Readonly<Record<string, unknown>>)[token]
          : undefined,
      value,
    );
};

export const holds = ({ pointer, ...meant }: HttpCondition, body: unknown, values: Values): boolean => {
  const part = partOf(body, pointer);
  if (meant.exists !== undefined) return (part !== undefined && part !== null) === meant.exists;
  if (meant.contains !== undefined) return typeof part === 'string' && part.includes(fillText(meant.contains, values));
  return meant.in?.some((one) => one === part) ?? false;
};

/** The item of the list that is meant; undefined: there is none. */
export const chosenFrom = (choice: HttpChoice | undefined, body: unknown, values: Values): unknown => {
  if (choice === undefined) return body;
  const list = partOf(body, choice.list);
  const { where } = choice;
  if (!Array.isArray(list)) return undefined;
  return where === undefined ? list[0] : (list as readonly unknown[]).find((item) => holds(where, item, values));
};

const longestKept = 2_000;

/** The values to keep. @returns the name of one that the answer does not have, or that is no short text or number */
export const keptFrom = (
  keep: HttpKeep,
  body: unknown,
  headers: JobAnswer['headers'],
): { readonly values: Values } | { readonly missing: string } => {
  const values: Record<string, string> = {};
  for (const [name, at] of Object.entries(keep)) {
    const part = at.startsWith('header:') ? headers[at.slice('header:'.length).toLowerCase()] : partOf(body, at);
    if ((typeof part !== 'string' && typeof part !== 'number') || String(part).length > longestKept) {
      return { missing: name };
    }
    values[name] = String(part);
  }
  return { values };
};
