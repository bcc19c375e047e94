/** Which part of the page an address names: the part after #, so that the API has all paths for itself. */
export type Route =
  | { readonly name: 'home' }
  | { readonly name: 'new' }
  | { readonly name: 'session'; readonly sessionId: string }
  | { readonly name: 'project'; readonly projectId: string };

export const parseRoute = (hash: string): Route => {
  const [first, second] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  if (first === 'new') return { name: 'new' };
  if (first === 'sessions' && second) return { name: 'session', sessionId: second };
  if (first === 'projects' && second) return { name: 'project', projectId: second };
  return { name: 'home' };
};

/** An address that nobody but a person could have written leads home. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
};

export const hashOf = (route: Route): string => {
  switch (route.name) {
    case 'home':
      return '#/';
    case 'new':
      return '#/new';
    case 'session':
      return `#/sessions/${encodeURIComponent(route.sessionId)}`;
    case 'project':
      return `#/projects/${encodeURIComponent(route.projectId)}`;
  }
};
