/** The problem that an answer of the API tells. Loaded where there is one, since checking its form takes a library. */
import { Value } from '@sinclair/typebox/value';
import type { Problem } from '../../api/problems/problem';
import { ProblemSchema } from '../../api/schemas/problem-schemas';

/** @returns also for an answer that is none of this API */
export const problemIn = (text: string, { status, url }: Response): Problem => {
  const body = parsed(text);
  if (Value.Check(ProblemSchema, body)) return body;
  return {
    type: 'about:blank',
    title: 'Error',
    status,
    code: 'UNKNOWN',
    errors: [],
    detail: `${url} answered ${status}, not as this API does`,
    hint: 'is PARLEY_URL the address of Parley?',
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
