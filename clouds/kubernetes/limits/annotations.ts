/**
 * The constraints that a project writes into its own objects instead of storing them: annotations of a workload, of its
 * pods, or of the namespace. They count for instances for which nothing is stored.
 */
import type { ToldTerms } from '../../../rules/cloud/terms';
import { apiGroup } from '../api-group';

export type Annotations = Readonly<Record<string, string>>;

/** The constraints that annotations tell. A field is left out where no annotation tells it. */
export interface ToldConstraints {
  /** 0: nothing is asked. */
  readonly leadTimeSeconds?: number;
  readonly wantsQuestions?: true;
  readonly maxImpactedMembers?: number;
  readonly recoveryTimeSeconds?: number;
  /** Its pods are to come to their end on their node. */
  readonly completes?: true;
  /** Its Deployment may have one more replica while a pod that its budget holds leaves. */
  readonly surges?: true;
  /** The terms of its instances and of the whole project (terms-annotation.ts). */
  readonly terms?: ToldTerms;
  /** Sentences without their full stop: values that cannot be read. */
  readonly faults: readonly string[];
}

export const annotationNames = {
  leadTime: `${apiGroup}/lead-time`,
  recoveryTime: `${apiGroup}/recovery-time`,
  maxImpactedMembers: `${apiGroup}/max-impacted-members`,
  ask: `${apiGroup}/ask`,
  onDrain: `${apiGroup}/on-drain`,
  surge: `${apiGroup}/surge`,
} as const;

/**
 * @param told the objects that may say it, the one that counts first at the front. A value that cannot be read is as
 * careful as can be: its project is asked, one member is impacted at a time, and pods are waited for.
 */
export const constraintsFrom = (told: readonly (Annotations | undefined)[]): ToldConstraints => {
  const find = (name: string): string | undefined => told.find((one) => one?.[name] !== undefined)?.[name];
  const faults: string[] = [];
  const read = <T>(name: string, { wanted, parse }: Form<T>, careful: T): T | undefined => {
    const value = find(name);
    if (value === undefined) return undefined;
    const parsed = parse(value.trim());
    if (parsed === undefined) faults.push(`annotation ${name} is '${value.slice(0, 40)}', not ${wanted}`);
    return parsed ?? careful;
  };
  const leadTime = read<number | 'usual'>(annotationNames.leadTime, seconds, 'usual');
  const ask = read(annotationNames.ask, yesOrNo, true);
  const recoveryTimeSeconds = read(annotationNames.recoveryTime, seconds, 0);
  const maxImpactedMembers = read(annotationNames.maxImpactedMembers, count, 1);
  const completes = read(annotationNames.onDrain, onlyComplete, true);
  const surges = read(annotationNames.surge, yesOrNo, false);
  return {
    ...questionsOf(leadTime, ask),
    ...(recoveryTimeSeconds !== undefined && { recoveryTimeSeconds }),
    ...(maxImpactedMembers !== undefined && { maxImpactedMembers }),
    ...(completes && { completes }),
    ...(surges && { surges }),
    faults,
  };
};

/** A project that tells how long it needs wants to be asked, unless it says otherwise. */
const questionsOf = (
  leadTime: number | 'usual' | undefined,
  ask: boolean | undefined,
): Pick<ToldConstraints, 'leadTimeSeconds' | 'wantsQuestions'> => {
  if (ask === false || (leadTime === 0 && ask === undefined)) return { leadTimeSeconds: 0 };
  if (ask === undefined && leadTime === undefined) return {};
  return { wantsQuestions: true, ...(typeof leadTime === 'number' && leadTime > 0 && { leadTimeSeconds: leadTime }) };
};

interface Form<T> {
  /** Follows "not". */
  readonly wanted: string;
  readonly parse: (value: string) => T | undefined;
}

const wholeNumber = (least: number) => (value: string) =>
  /^\d{1,9}$/.test(value) && Number(value) >= least ? Number(value) : undefined;

const seconds: Form<number> = { wanted: 'a whole number of seconds', parse: wholeNumber(0) };
const count: Form<number> = { wanted: 'a whole number of at least 1', parse: wholeNumber(1) };
const onlyComplete: Form<true> = { wanted: "'complete'", parse: (value) => value === 'complete' || undefined };
const yesOrNo: Form<boolean> = {
  wanted: "'true' or 'false'",
  parse: (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
};
