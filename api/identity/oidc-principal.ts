/** Decides which rights the claims of a token give its sender. */
import type { Settings } from '../../config/settings';
import { idOf, isUuid } from '../../rules/cloud/id';
import { tokenWithoutRights } from '../problems/problem-catalogue';
import type { Principal } from './identity';

/** Paths are lists of names. */
export type ClaimMapping = Pick<Settings, 'oidcAdminClaim' | 'oidcAdminValues' | 'oidcProjectClaim'>;

type Claims = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at this path of names within the claims; undefined: there is none. */
export const claimAt = (claims: Claims, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), claims);

const isText = (value: unknown): value is string => typeof value === 'string';

/** The texts of a list, or a text with its words. */
const valuesOf = (claim: unknown): readonly string[] => {
  if (isText(claim)) return [claim, ...claim.split(' ')];
  return Array.isArray(claim) ? claim.filter(isText) : [];
};

const shown = (path: readonly string[]): string => path.join(' → ');

/** @throws ApiError 403 where the claims give no rights here */
export const principalOfClaims = (claims: Claims, mapping: ClaimMapping): Principal => {
  const { oidcAdminClaim, oidcAdminValues, oidcProjectClaim } = mapping;
  const values = valuesOf(claimAt(claims, oidcAdminClaim));
  if (oidcAdminValues.some((value) => values.includes(value))) return { kind: 'admin' };
  const project = claimAt(claims, oidcProjectClaim);
  const projects: readonly unknown[] = Array.isArray(project) ? project : [project];
  const [projectId] = projects;
  if (projects.length === 1 && isText(projectId) && isUuid(projectId)) {
    return { kind: 'project', projectId: idOf(projectId) };
  }
  throw tokenWithoutRights(
    `the token is neither an admin's (claim ${shown(oidcAdminClaim)} without ${oidcAdminValues.join(', ')}) ` +
      `nor a project's (claim ${shown(oidcProjectClaim)} without the UUID of one project)`,
    'ask whoever runs the issuer for the role or the claim; the settings PARLEY_OIDC_…_CLAIM of the service name them',
  );
};
