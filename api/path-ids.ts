/** IDs in paths: checked, and brought into the one form in which they are stored (dashed, lower case). */
import { malformedId } from './problem-catalogue';
import { formats } from './schemas/field-types';

export const normalizeUuid = (id: string): string => {
  const digits = id.replaceAll('-', '').toLowerCase();
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
};

type PathId = 'session_id' | 'project_id' | 'instance_id' | 'group_id';

/**
 * @param params of a request whose path has that part
 * @throws ApiError 400 naming the path's part
 */
export const parsePathId = (params: Readonly<Record<string, unknown>>, name: PathId): string => {
  const { check, meaning } = formats[name === 'project_id' ? 'project-id' : 'uuid'];
  const text = params[name];
  if (typeof text !== 'string' || !check(text)) throw malformedId(name, meaning);
  return normalizeUuid(text);
};

type IdsOfBody = Readonly<Partial<Record<PathId, string>>>;

/** An ID in a body that differs from the path's is an error: one of the two is a mistake. */
export const findDifferingIds = (body: IdsOfBody, path: IdsOfBody) =>
  Object.entries(path)
    .map(([name, id]) => ({ name, id, given: body[name as PathId] }))
    .filter(({ id, given }) => given !== undefined && normalizeUuid(given) !== id)
    .map(({ name, id }) => ({ pointer: `/${name}`, message: `must be the path's, ${id}` }));
