/** Which part of the page an address names: the part after #, so that the API has all paths for itself. */
export type Route =
  | { readonly name: 'home' }
  /** Nothing is there. */
  | { readonly name: 'nowhere' }
  | { readonly name: 'new' }
  | { readonly name: 'session'; readonly sessionId: string }
  | { readonly name: 'project'; readonly projectId: string };

export const parseRoute = (hash: string): Route => {
  const [first, second, ...others] = hash
    .replace(/^#?\/?/, '')
    .replace(/\/$/, '')
    .split('/')
    .map(decoded);
  if (others.length > 0) return { name: 'nowhere' };
  if (first === '') return { name: 'home' };
  if (first === 'new' && second === undefined) return { name: 'new' };
  if (first === 'sessions' && second) return { name: 'session', sessionId: second };
  if (first === 'projects' && second) return { name: 'project', projectId: second };
  return { name: 'nowhere' };
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
      return '#/new';
    case 'session':
      return `#/sessions/${encodeURIComponent(route.sessionId)}`;
    case 'project':
      return `#/projects/${encodeURIComponent(route.projectId)}`;
  }
};
