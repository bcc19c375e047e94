/**
 * The terms that a project writes into its own objects (rules/cloud/terms.ts): an annotation with their JSON, on a
 * workload, on its pods, or on the namespace. An annotation that cannot be read stands for the wish to be asked.
 */
import { formOf } from '../../../forms/check-form';
import { checkTerms } from '../../../forms/check-terms';
import { findUnstorable, storable } from '../../../forms/storable-json';
import { ProjectTermsSchema, TermsSchema } from '../../../forms/terms-schema';
import { nearestTerms, type ProjectTerms, type Terms, type ToldTerms } from '../../../rules/cloud/terms';
import { kubernetesActions } from '../actions';
import { apiGroup } from '../api-group';
import type { Annotations } from './annotations';

export const termsAnnotation = `${apiGroup}/terms`;

/** Each decision reads the annotations of all pods, and each session keeps those of its pods. */
const mostCharacters = 8_192;

const forms = { workload: formOf(TermsSchema), namespace: formOf(ProjectTermsSchema) };
type AnnotatedPlace = keyof typeof forms;

interface ReadTerms {
  readonly terms: ProjectTerms;
  /** A sentence without its full stop; left out: the annotation can be read. */
  readonly fault?: string;
}

/** Annotations by the objects that have them. */
export interface AnnotatedObjects {
  /** The nearest first. */
  readonly ofWorkload: readonly (Annotations | undefined)[];
  readonly ofNamespace: Annotations | undefined;
}

export interface AnnotatedTerms {
  /** Left out: no annotation tells any. */
  readonly terms?: ToldTerms;
  readonly faults: readonly string[];
}

export const termsFrom = ({ ofWorkload, ofNamespace }: AnnotatedObjects, now: Date): AnnotatedTerms => {
  const own = ofWorkload.flatMap((one) => readFrom(one, 'workload', now));
  const [ofProject] = readFrom(ofNamespace, 'namespace', now);
  const [first, ...others] = own.map(({ terms }) => terms);
  const ofInstance = first && (others.length === 0 ? first : nearestTerms([first, ...others]));
  const all = [...own, ...(ofProject ? [ofProject] : [])];
  return {
    ...(all.length > 0 && {
      terms: { ...(ofInstance && { ofInstance }), ...(ofProject && { ofProject: ofProject.terms }) },
    }),
    faults: [...new Set(all.flatMap(({ fault }) => fault ?? []))],
  };
};

/** Undefined: the namespace tells none. */
export const termsOfNamespace = (annotations: Annotations | undefined, now: Date): ProjectTerms | undefined =>
  readFrom(annotations, 'namespace', now)[0]?.terms;

const readFrom = (annotations: Annotations | undefined, place: AnnotatedPlace, now: Date): readonly ReadTerms[] => {
  const text = annotations?.[termsAnnotation];
  return text === undefined ? [] : [recall(place, text, now)];
};

/** A cache: all pods of a workload have the same text. It lasts for a day, because dates may be too far ahead. */
const known: Record<AnnotatedPlace, Map<string, ReadTerms>> = { workload: new Map(), namespace: new Map() };
const mostKnown = 2_000;
let knownOn = '';

const recall = (place: AnnotatedPlace, text: string, now: Date): ReadTerms => {
  const day = now.toISOString().slice(0, 10);
  if (day !== knownOn || known[place].size >= mostKnown) Object.values(known).forEach((texts) => texts.clear());
  knownOn = day;
  const before = known[place].get(text);
  if (before) return before;
  const read = readTerms(place, text, now);
  known[place].set(text, read);
  return read;
};

const readTerms = (place: AnnotatedPlace, text: string, now: Date): ReadTerms => {
  if (text.length > mostCharacters) {
    return notReadable(`has ${text.length} characters, and may have ${mostCharacters}`);
  }
  const given = parsed(text);
  if (given === undefined) return notReadable(`is '${text.slice(0, 40)}', not JSON`);
  const unstorable = findUnstorable(given.json);
  if (unstorable) return notReadable(inWords([unstorable]));
  const formed = forms[place](asStored(given.json));
  if ('faults' in formed) return notReadable(inWords(formed.faults));
  const terms: Terms = formed.value;
  const faults = checkTerms(terms, { cloud: { name: 'kubernetes', actions: kubernetesActions }, now });
  return faults.length > 0 ? notReadable(inWords(faults)) : { terms };
};

const parsed = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};

/** The database keeps -0 as 0, and a comparison with what it keeps would tell a change at each look. */
const asStored = (json: unknown): unknown => JSON.parse(JSON.stringify(json));

const notReadable = (why: string): ReadTerms => ({
  terms: { ask: 'always' },
  fault: storable(`annotation ${termsAnnotation} ${why}`),
});

const inWords = ([first, ...others]: readonly { readonly pointer: string; readonly message: string }[]): string => {
  const where = first?.pointer ? `, in its field ${first.pointer},` : '';
  const more = others.length > 0 ? '; more of it is wrong' : '';
  return `cannot be read${where} since it ${first?.message ?? ''}${more}`;
};
