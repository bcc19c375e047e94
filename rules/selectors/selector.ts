/**
 * Selectors of hosts by their labels, in the grammar of Kubernetes: `zone=a,rack in (r1,r2),!spare`. A text in double
 * quotes is a key or a value with other characters. Parts of a label's text count as values, so that `aggregate=fast`
 * selects a host of several aggregates.
 */
import { type HostLabels, partsOf } from './labels';

/** - in: it has one of the values. - notIn: it has none of them, perhaps no such label. - absent: no such label. */
export type LabelRequirement =
  | { readonly kind: 'in' | 'notIn'; readonly key: string; readonly values: readonly string[] }
  | { readonly kind: 'exists' | 'absent'; readonly key: string };

/** A host has to meet all of them. */
export type Selector = readonly LabelRequirement[];

export type ParsedSelector =
  | { readonly kind: 'selector'; readonly selector: Selector }
  /** `message`: words that follow the name of its field. */
  | { readonly kind: 'fault'; readonly message: string };

const word = String.raw`(?:"[^"]*"|[^\s,=!()"]+)`;
const list = String.raw`\(\s*(?<values>${word}\s*(?:,\s*${word}\s*)*)\)`;
const compared = String.raw`\s*(?<sign>==?|!=)\s*(?<value>${word})?`;
const among = String.raw`\s+(?<set>in|notin)\s*${list}`;
/** One requirement, up to the comma before the next one or up to the end. */
const requirement = new RegExp(
  String.raw`\s*(?:!\s*(?<absent>${word})|(?<key>${word})(?:${compared}|${among})?)\s*(?<end>,|$)`,
  'y',
);
const words = new RegExp(word, 'g');

/** @returns a fault where the text is empty, too: nobody should get all hosts by a variable that is not set */
export const parseSelector = (text: string): ParsedSelector => {
  const selector: LabelRequirement[] = [];
  for (let at = 0, end = ','; end === ',';) {
    requirement.lastIndex = at;
    const { groups } = requirement.exec(text) ?? {};
    if (groups === undefined) return { kind: 'fault', message: faultAt(text.slice(at).trim()) };
    selector.push(requirementOf(groups));
    [at, end] = [requirement.lastIndex, groups['end'] ?? ''];
  }
  return { kind: 'selector', selector };
};

const forms = 'parts with commas between them: KEY=VALUE, KEY!=VALUE, KEY in (A,B), KEY notin (A,B), KEY or !KEY';

const faultAt = (rest: string): string =>
  rest === ''
    ? `ends where a part has to follow; write ${forms}`
    : `is not understood from "${rest}" on; write ${forms}`;

const requirementOf = (groups: Readonly<Record<string, string | undefined>>): LabelRequirement => {
  const { absent, key = '', sign, value = '', set, values = '' } = groups;
  if (absent !== undefined) return { kind: 'absent', key: unquoted(absent) };
  if (sign !== undefined)
    return { kind: sign === '!=' ? 'notIn' : 'in', key: unquoted(key), values: [unquoted(value)] };
  if (set === undefined) return { kind: 'exists', key: unquoted(key) };
  return {
    kind: set === 'in' ? 'in' : 'notIn',
    key: unquoted(key),
    values: [...values.matchAll(words)].map(([one]) => unquoted(one)),
  };
};

const unquoted = (text: string): string => (text.startsWith('"') ? text.slice(1, -1) : text);

export const selects = (selector: Selector, labels: HostLabels): boolean =>
  selector.every((one) => isMet(one, Object.hasOwn(labels, one.key) ? labels[one.key] : undefined));

const isMet = (one: LabelRequirement, text: string | undefined): boolean => {
  switch (one.kind) {
    case 'exists':
      return text !== undefined;
    case 'absent':
      return text === undefined;
    case 'in':
      return text !== undefined && hasOneOf(text, one.values);
    case 'notIn':
      return text === undefined || !hasOneOf(text, one.values);
  }
};

/** The whole text counts as well: a value in quotes may be a list. */
const hasOneOf = (text: string, values: readonly string[]): boolean =>
  values.includes(text) || partsOf(text).some((part) => values.includes(part));
