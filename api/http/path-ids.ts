/** Checks IDs in paths and bodies, and keeps their form. */
import { dashedUuid, type Id, idOf, isSameId, isUuid, uuidMeaning } from '../../rules/cloud/id';
import { malformedId } from '../problems/problem-catalogue';

type PathId = 'session_id' | 'project_id' | 'instance_id' | 'group_id' | 'webhook_id';
type Params = Readonly<Record<string, unknown>>;

/**
 * @param params of a request whose path has that part
 * @throws ApiError 400 naming the path's part
 */
export const parsePathId = (params: Params, name: PathId): Id => {
  const text = params[name];
  if (typeof text !== 'string' || !isUuid(text)) throw malformedId(name, uuidMeaning);
  return idOf(text);
};

/** The form in which the service itself writes the IDs of sessions. */
export const parseSessionId = (params: Params): string => dashedUuid(parsePathId(params, 'session_id').key);

/** The session that a whole path names; undefined: none. */
export const sessionOfPath = (path: string): string | undefined => {
  const [, given = ''] = /^\/v1\/maintenance\/([^/]+)/i.exec(path) ?? [];
  return isUuid(given) ? dashedUuid(idOf(given).key) : undefined;
};

type IdsOfBody = Readonly<Partial<Record<PathId, string>>>;
export type IdsOfPath = Readonly<Partial<Record<PathId, Id>>>;

/** An ID in a body that differs from the path's is an error: one of the two is a mistake. */
export const findDifferingIds = (body: IdsOfBody, path: IdsOfPath) =>
  Object.entries(path)
    .map(([name, id]) => ({ name, id, given: body[name as PathId] }))
    .filter(({ id, given }) => given !== undefined && !isSameId(idOf(given), id))
    .map(({ name, id }) => ({ pointer: `/${name}`, message: `must be the ID in the path, ${id.text}` }));
