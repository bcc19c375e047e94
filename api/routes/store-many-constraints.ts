/** Constraints of many instances and groups in one request, such as those of a whole VNF. An addition. */
import type { Request } from 'express';
import type { ConstraintsOfOne } from '../../prisma/constraints/write-constraints';
import { principalOf } from '../identity/authorization';
import { parseListedGroup, parseListedInstance, parseLists } from '../parsing/parse-constraints';
import { ApiError, toProblem } from '../problems/problem';
import type { StoredConstraintsBody } from '../schemas/constraint-schemas';
import type { Constraints, ItemAnswer } from '../services/constraints';

interface GivenItem {
  readonly pointer: string;
  readonly parse: () => ConstraintsOfOne;
}

/** @throws ApiError for the whole request; an item that cannot be stored is told in the answer */
export const storeMany = async (constraints: Constraints, req: Request): Promise<StoredConstraintsBody> => {
  const parsed = itemsOf(req.body).map(parseItem);
  const items = parsed.flatMap(({ item }) => (item instanceof ApiError ? [] : [item]));
  const answers = (await constraints.writeMany(principalOf(req), items)).values();
  const failed = parsed.flatMap(({ pointer, item }) => {
    const answer: ItemAnswer = item instanceof ApiError ? item : (answers.next().value ?? 'stored');
    return answer === 'stored' ? [] : [{ pointer, problem: problemOf(pointer, answer) }];
  });
  return { stored: parsed.length - failed.length, failed };
};

/** Groups come first, as a manager would store them one by one. */
const itemsOf = (given: unknown): readonly GivenItem[] => {
  const { instances = [], instance_groups: groups = [] } = parseLists(given);
  return [
    ...groups.map((item, position) => ({
      pointer: `/instance_groups/${position}`,
      parse: () => ({ kind: 'group', constraints: parseListedGroup(item) }) as const,
    })),
    ...instances.map((item, position) => ({
      pointer: `/instances/${position}`,
      parse: () => ({ kind: 'instance', constraints: parseListedInstance(item) }) as const,
    })),
  ];
};

const parseItem = ({
  pointer,
  parse,
}: GivenItem): { readonly pointer: string; readonly item: ConstraintsOfOne | ApiError } => {
  try {
    return { pointer, item: parse() };
  } catch (error) {
    if (error instanceof ApiError) return { pointer, item: error };
    throw error;
  }
};

/** Its pointers lead into the request and not into the item. */
const problemOf = (itemPointer: string, { problem }: ApiError) =>
  toProblem({
    ...problem,
    errors: problem.errors?.map(({ pointer, message }) => ({ pointer: `${itemPointer}${pointer}`, message })) ?? [],
  });
