/** Decides which rights a Keystone token gives its sender. */
import type { ProjectScope, ValidatedToken } from '../../clouds/keystone/validate-token';
import { idOf, isUuid } from '../../rules/cloud/id';
import { tokenWithoutRights } from '../problems/problem-catalogue';
import type { Principal } from './identity';

export interface KeystoneRoles {
  /** The role (in lower case) that makes its holder admin, in a token for a project or for the system. */
  readonly adminRole: string;
  /** The role (in lower case) that is needed to act for the token's project. */
  readonly projectRole: string;
}

/** A domain's admin is not an infrastructure admin. */
const mayBeAdmin = ({ scope, mayBeAdminProject }: ValidatedToken): boolean =>
  scope.kind === 'system' || (scope.kind === 'project' && mayBeAdminProject);

const callerOf = ({ userId, userName }: ValidatedToken) => ({
  ...(userId && { caller: userId }),
  ...(userName && { personName: userName }),
});

const projectPrincipal = (scope: ProjectScope, token: ValidatedToken): Principal => {
  const { projectId, projectName } = scope;
  if (isUuid(projectId)) {
    return {
      kind: 'project',
      projectId: idOf(projectId),
      ...(projectName && { projectName }),
      ...callerOf(token),
    };
  }
  throw tokenWithoutRights(
    "the ID of the token's project is not a UUID, so no instance here can belong to it",
    'use a token of the project that has the instances',
  );
};

const scopeNames = { system: 'the system', domain: 'a domain', none: 'nothing' } as const;

/** @throws ApiError 403 where the token gives no rights here */
export const principalOfToken = (token: ValidatedToken, { adminRole, projectRole }: KeystoneRoles): Principal => {
  const holds = (wanted: string): boolean => token.roles.some((role) => role.toLowerCase() === wanted);
  if (mayBeAdmin(token) && holds(adminRole)) return { kind: 'admin', ...callerOf(token) };
  if (token.scope.kind !== 'project') {
    throw tokenWithoutRights(
      `the token is for ${scopeNames[token.scope.kind]}, not for a project`,
      `get a token for a project; admins one for a project or the system with the role ${adminRole}`,
    );
  }
  if (!holds(projectRole)) {
    throw tokenWithoutRights(
      `the token's user lacks the role ${projectRole} in the token's project`,
      'give the user that role, or set PARLEY_PROJECT_ROLE of the service to another role',
    );
  }
  return projectPrincipal(token.scope, token);
};
