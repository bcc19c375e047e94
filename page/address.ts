/** Which part of the page an address names: the part after #, so that the API has all paths for itself. */
export type Route =
  | { readonly name: 'home' }
  /** Nothing is there. */
  | { readonly name: 'nowhere' }
  /** again: the session that the form is filled in from. */
  | { readonly name: 'new'; readonly again?: string }
  /** With the name of the host that is opened, if there is one. */
  | { readonly name: 'session'; readonly sessionId: string; readonly hostname?: string }
  | { readonly name: 'project'; readonly projectId: string };

export const parseRoute = (hash: string): Route => {
  const [first, ...rest] = hash
    .replace(/^#?\/?/, '')
    .replace(/\/$/, '')
    .split('/')
    .map(decoded);
  switch (first) {
    case '':
      return rest.length === 0 ? { name: 'home' } : nowhere;
    case 'new':
      return newAt(rest);
    case 'sessions':
      return sessionAt(rest);
    case 'projects':
      return rest.length === 1 && rest[0] ? { name: 'project', projectId: rest[0] } : nowhere;
    case undefined:
    default:
      return nowhere;
  }
};

const nowhere: Route = { name: 'nowhere' };

/** The rest of the address is nothing, or `ID`. */
const newAt = ([again, ...others]: readonly (string | undefined)[]): Route => {
  if (others.length > 0) return nowhere;
  return again === undefined ? { name: 'new' } : { name: 'new', again };
};

/** The rest of the address is `ID`, or `ID/hosts/NAME`. */
const sessionAt = ([sessionId, hosts, hostname, ...others]: readonly (string | undefined)[]): Route => {
  if (!sessionId || others.length > 0) return nowhere;
  if (hosts === undefined) return { name: 'session', sessionId };
  return hosts === 'hosts' && hostname ? { name: 'session', sessionId, hostname } : nowhere;
};

/** undefined: nobody but a person can have written it. */
const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};

export const hashOf = (route: Route): string => {
  switch (route.name) {
    case 'home':
    case 'nowhere':
      return '#/';
    case 'new':
      return route.again === undefined ? '#/new' : `#/new/${encodeURIComponent(route.again)}`;
    case 'session': {
      const { sessionId, hostname } = route;
      const host = hostname === undefined ? '' : `/hosts/${encodeURIComponent(hostname)}`;
      return `#/sessions/${encodeURIComponent(sessionId)}${host}`;
    }
    case 'project':
      return `#/projects/${encodeURIComponent(route.projectId)}`;
  }
};
