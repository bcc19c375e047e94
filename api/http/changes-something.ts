/** Tells requests that may change something, which are in the audit, from those that only read. */
const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Plans and previews store nothing. */
const changesNothing: readonly string[] = [
  '/v1/maintenance/plan',
  '/v1/projects/{project_id}/terms/preview',
  '/v1/vendordata',
];

/** @param route the path with names in place of IDs; undefined: no endpoint has the path */
export const changesSomething = (method: string, route: string | undefined): boolean =>
  !reading.includes(method.toUpperCase()) && !changesNothing.includes(route ?? '');
