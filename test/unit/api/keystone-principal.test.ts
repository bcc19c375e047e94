import { principalOfToken } from '../../../api/identity/keystone-principal';
import { ApiError } from '../../../api/problems/problem';
import type { TokenScope, ValidatedToken } from '../../../clouds/keystone/validate-token';
import { idOf } from '../../../rules/cloud/id';

const own: TokenScope = { kind: 'project', projectId: '11111111111141118111111111111111' };
const ownPrincipal = { kind: 'project', projectId: idOf('11111111111141118111111111111111') };
const admin = { kind: 'admin' };

const aToken = (changes: Partial<ValidatedToken>): ValidatedToken => ({
  expiresAtMs: 0,
  scope: own,
  roles: ['member', 'reader'],
  mayBeAdminProject: true,
  ...changes,
});

const roles = { adminRole: 'admin', projectRole: 'member' };

const refusalOf = (token: ValidatedToken): string => {
  try {
    return `let in as ${principalOfToken(token, roles).kind}`;
  } catch (error) {
    return error instanceof ApiError ? `${error.problem.status} ${error.problem.detail}` : String(error);
  }
};

describe('who a Keystone token makes its sender', () => {
  it.each([
    { what: 'a project token with the role member', token: {}, principal: ownPrincipal },
    { what: 'a project token with the role admin', token: { roles: ['admin'] }, principal: admin },
    { what: 'a user', token: { roles: ['admin'], userId: 'u' }, principal: { ...admin, caller: 'u' } },
    {
      what: 'a user with a name',
      token: { roles: ['admin'], userId: 'u', userName: 'ada' },
      principal: { ...admin, caller: 'u', personName: 'ada' },
    },
    { what: 'roles written with capitals', token: { roles: ['Admin'] }, principal: admin },
    {
      what: 'a system token with the role admin',
      token: { scope: { kind: 'system' }, roles: ['admin'] },
      principal: admin,
    },
    {
      what: 'an admin of a project that is not the admin project',
      token: { roles: ['admin', 'member'], mayBeAdminProject: false },
      principal: ownPrincipal,
    },
    {
      what: 'a project ID in another form',
      token: { scope: { kind: 'project', projectId: '11111111-1111-4111-8111-111111111111' } },
      principal: { ...ownPrincipal, projectId: idOf('11111111-1111-4111-8111-111111111111') },
    },
  ] as const)('of $what', ({ token, principal }) => {
    expect(principalOfToken(aToken(token), roles)).toEqual(principal);
  });

  it('is told by the roles of the settings', () => {
    const token = aToken({ roles: ['operator', 'admin'] });
    expect(principalOfToken(token, { adminRole: 'operator', projectRole: 'vnfm' })).toEqual(admin);
    expect(principalOfToken(aToken({ roles: ['vnfm'] }), { ...roles, projectRole: 'vnfm' })).toEqual(ownPrincipal);
  });

  it.each([
    { what: 'a reader', token: { roles: ['reader'] }, why: "403 the token's user lacks the role member" },
    { what: 'no role', token: { roles: [] }, why: "403 the token's user lacks the role member" },
    {
      what: 'a domain admin',
      token: { scope: { kind: 'domain' }, roles: ['admin'] },
      why: '403 the token is for a domain',
    },
    {
      what: 'a system reader',
      token: { scope: { kind: 'system' }, roles: ['reader'] },
      why: '403 the token is for the system',
    },
    { what: 'an unscoped token', token: { scope: { kind: 'none' }, roles: [] }, why: '403 the token is for nothing' },
    {
      what: 'a project whose ID is no UUID',
      token: { scope: { kind: 'project', projectId: 'services' } },
      why: "403 the ID of the token's project is not a UUID",
    },
  ] as const)('refuses $what and says why', ({ token, why }) => {
    expect(refusalOf(aToken(token))).toContain(why);
  });
});
