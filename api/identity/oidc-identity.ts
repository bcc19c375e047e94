/**
 * Identifies callers by tokens (JWT) that an OpenID Connect issuer has signed. The issuer is not asked about each one:
 * its keys are enough. While they cannot be had, nobody is let in.
 */
import { errors, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose';
import type { Settings } from '../../config/settings';
import { issuerAway } from '../problems/away-problems';
import { noIssuedToken } from '../problems/problem-catalogue';
import type { Identity, OidcClient, Principal } from './identity';
import type { Issuer } from './oidc-issuer';
import { claimAt, principalOfClaims } from './oidc-principal';

export type OidcSettings = Pick<
  Settings,
  | 'oidcAdminClaim'
  | 'oidcAdminValues'
  | 'oidcProjectClaim'
  | 'oidcAlgorithms'
  | 'oidcClockSkewSeconds'
  | 'oidcAudienceClaim'
  | 'oidcClientId'
  | 'oidcScope'
> & { readonly oidcIssuer: string; readonly oidcAudience: string };

export interface OidcIdentityParts {
  readonly settings: OidcSettings;
  readonly issuer: () => Promise<Issuer>;
}

/** The faults of a token, by the codes of jose. With any other error the keys could not be had. */
const faults: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature of the token is wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the token is signed in a way that PARLEY_OIDC_ALGORITHMS does not list',
  ERR_JOSE_NOT_SUPPORTED: 'the token is signed in a way that is not supported',
  ERR_JWS_INVALID: 'the token is no signed token (JWT)',
  ERR_JWT_INVALID: 'the token is no signed token (JWT)',
  ERR_JWKS_NO_MATCHING_KEY: 'the issuer has no such key as the token is signed with',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'the token does not say which key of the issuer it is signed with',
};

/** Undefined: the token may be good. */
const faultIn = (error: unknown): string | undefined => {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.reason === 'missing'
      ? `the token has no claim ${error.claim}`
      : `the claim ${error.claim} of the token does not fit this service, or not yet`;
  }
  return error instanceof errors.JOSEError ? faults[error.code] : undefined;
};

/** The usual claim `aud`, which is checked with the token. */
const namesAudience = ({ oidcAudienceClaim }: OidcSettings): boolean => oidcAudienceClaim.join('/') === 'aud';

/**
 * Judges the audience by another claim than `aud`.
 * @returns the fault; undefined: the claim names this service
 */
const faultOfAudience = (claims: JWTPayload, settings: OidcSettings): string | undefined => {
  if (namesAudience(settings)) return undefined;
  const name = settings.oidcAudienceClaim.join(' → ');
  const named = claimAt(claims, settings.oidcAudienceClaim);
  if (named === undefined) return `the token has no claim ${name}`;
  return [named].flat().includes(settings.oidcAudience)
    ? undefined
    : `the claim ${name} of the token does not fit this service`;
};

const checksOf = (settings: OidcSettings): JWTVerifyOptions => ({
  issuer: settings.oidcIssuer,
  ...(namesAudience(settings) && { audience: settings.oidcAudience }),
  algorithms: [...settings.oidcAlgorithms],
  clockTolerance: settings.oidcClockSkewSeconds,
  requiredClaims: ['exp', 'sub'],
});

/** Issuers name people in one of these claims (OpenID Connect Core, 5.1). */
const nameClaims = ['name', 'preferred_username', 'email'];
const mostNameCharacters = 200;

const personIn = (claims: JWTPayload): { readonly personName?: string } => {
  const name = nameClaims.map((claim) => claims[claim]).find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? { personName: name.slice(0, mostNameCharacters) } : {};
};

const toPrincipal = (claims: JWTPayload, settings: OidcSettings): Principal => ({
  ...principalOfClaims(claims, settings),
  ...(claims.sub !== undefined && { caller: claims.sub }),
  ...personIn(claims),
  ...(claims.exp !== undefined && { expiresAtMs: claims.exp * 1000 }),
});

export const createOidcIdentity = ({ settings, issuer }: OidcIdentityParts): Identity => {
  const { oidcIssuer, oidcClientId: clientId, oidcScope: scope } = settings;

  const knownIssuer = (): Promise<Issuer> =>
    issuer().catch((error: unknown) => {
      throw issuerAway(error);
    });

  const claimsIn = async (token: string): Promise<JWTPayload> => {
    const { keyOf } = await knownIssuer();
    const { payload } = await jwtVerify(token, keyOf, checksOf(settings)).catch((error: unknown) => {
      const fault = faultIn(error);
      throw fault === undefined ? issuerAway(error) : noIssuedToken(fault, oidcIssuer);
    });
    const fault = faultOfAudience(payload, settings);
    if (fault !== undefined) throw noIssuedToken(fault, oidcIssuer);
    return payload;
  };

  const clientOf = async (id: string): Promise<OidcClient> => {
    const { endpoints } = await knownIssuer();
    if (endpoints === undefined) throw issuerAway(new Error('the issuer does not say where people sign in'));
    const { authorization, token } = endpoints;
    return { issuer: oidcIssuer, authorizationEndpoint: authorization, tokenEndpoint: token, clientId: id, scope };
  };

  return {
    name: 'oidc',
    ways: clientId === undefined ? ['token'] : ['oidc', 'token'],
    trustsEverybody: false,
    async authenticate(token) {
      if (token === undefined) throw noIssuedToken('the request has no token', oidcIssuer);
      return toPrincipal(await claimsIn(token), settings);
    },
    ...(clientId !== undefined && { oidcClient: () => clientOf(clientId) }),
  };
};
