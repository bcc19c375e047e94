/** Requests of the audit as words: who reads them knows who has sent them, and when. */

export interface RequestToTell {
  readonly method: string;
  /** The path with names in place of IDs; null: no endpoint has the path. */
  readonly route: string | null;
  readonly path: string;
  /** What the body says, in few words. */
  readonly details: string | null;
}

const session = '/v1/maintenance/{session_id}';
const ofHost = `${session}/hosts/{hostname}`;
const reply = 'replied';

const verbs: Readonly<Record<string, string>> = {
  'POST /v1/maintenance': 'created the session',
  [`PUT ${session}`]: 'continued the failed session',
  [`PATCH ${session}`]: 'changed how the session is steered',
  [`DELETE ${session}`]: 'deleted the session',
  [`POST ${session}/pause`]: 'paused the session',
  [`POST ${session}/resume`]: 'resumed the session',
  [`POST ${session}/abort`]: 'aborted the session',
  [`POST ${session}/archive`]: 'archived the session',
  [`POST ${ofHost}/skip`]: 'skipped host',
  [`POST ${ofHost}/retry`]: 'retried host',
  [`POST ${ofHost}/first`]: 'put first host',
  [`POST ${ofHost}/ignore`]: 'ignored the marks on host',
  [`POST ${ofHost}/release`]: 'released host',
  [`PUT ${session}/{project_id}`]: reply,
  [`PUT ${session}/{project_id}/{instance_id}`]: reply,
  'PUT /v1/projects/{project_id}/terms': 'stored terms of project',
  'DELETE /v1/projects/{project_id}/terms': 'deleted terms of project',
  'PUT /v1/freezes/{name}': 'stored freeze',
  'DELETE /v1/freezes/{name}': 'deleted freeze',
  'POST /v1/sign-in': 'signed in',
};

/** Subjects that the path names, after the verb. */
const subjectAt: readonly (readonly [RegExp, RegExp])[] = [
  [/\/hosts\/\{hostname\}/, /\/hosts\/(?<name>[^/]+)/],
  [/^\/v1\/projects\//, /\/projects\/(?<name>[^/]+)/],
  [/^\/v1\/freezes\//, /\/freezes\/(?<name>[^/]+)/],
  [/\/\{project_id\}\/\{instance_id\}$/, /\/(?<name>[^/]+)$/],
];

export const requestInWords = (request: RequestToTell): string => {
  const { route, path, details } = request;
  const verb = verbOf(request);
  const subject = subjectIn(route ?? '', path);
  if (verb === reply)
    return subject === undefined ? gistOfRequest(request) : `${gistOfRequest(request)} for instance ${subject}`;
  return `${verb}${subject === undefined ? '' : ` ${subject}`}${details === null ? '' : `: ${details}`}`;
};

/** The same without the instance or the host that it is about. */
export const gistOfRequest = (request: RequestToTell): string => {
  const { details } = request;
  const verb = verbOf(request);
  if (verb === reply) return details === null ? reply : `${reply} ${details}`;
  return verb + (details === null ? '' : `: ${details}`);
};

const verbOf = ({ method, route, path }: RequestToTell): string =>
  (route === null ? undefined : verbs[`${method} ${route}`]) ?? `${method} ${path}`;

const subjectIn = (route: string, path: string): string | undefined => {
  const found = subjectAt.find(([ofRoute]) => ofRoute.test(route));
  const name = found?.[1].exec(path)?.groups?.['name'];
  return name === undefined ? undefined : decoded(name);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
