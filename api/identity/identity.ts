/**
 * Identifies the caller. One small interface, so that another way to identify callers (Keystone) is another file.
 * authorization.ts decides what a caller may do; for stored constraints prisma/constraints/constraints.ts repeats its
 * rule within the transaction that writes them.
 */

import type { PersonalLogin } from '../../clouds/keystone/sign-in';
import type { Id } from '../../rules/cloud/id';

interface KnownCaller {
  /** Tells people apart, where that can be told: it stays the same from one token to the next. */
  readonly caller?: string;
  /** Name for people in the audit, where `caller` is none. */
  readonly callerName?: string;
  /** The name of the person, beside `caller`; left out: not known. */
  readonly personName?: string;
  /** The end of the token, where it has one. */
  readonly expiresAtMs?: number;
}

export type Principal =
  | ({ readonly kind: 'admin' } & KnownCaller)
  | ({ readonly kind: 'project'; readonly projectId: Id; readonly projectName?: string } & KnownCaller);

/** The ways in which a person gets in: without a token, by a pasted one, by user and password, at an OpenID issuer. */
export type SignInWay = 'none' | 'token' | 'password' | 'oidc';

export interface SignedIn {
  /** A secret. */
  readonly token: string;
  readonly expiresAtMs: number;
}

/** All that a page needs to sign a person in at an OpenID Connect issuer (code flow with PKCE). */
export interface OidcClient {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly scope: string;
}

export interface Identity {
  /** The value of PARLEY_AUTH. */
  readonly name: 'none' | 'token' | 'keystone' | 'oidc' | 'kubernetes';
  readonly ways: readonly SignInWay[];
  /** True when every caller is admin: whoever reaches the service may do anything, including a browser for any page. */
  readonly trustsEverybody: boolean;
  /**
   * @param token from X-Auth-Token or Authorization: Bearer; undefined when there is none
   * @throws ApiError 401 with a challenge when the caller cannot be identified
   */
  authenticate(token: string | undefined): Promise<Principal>;
  /**
   * Gets a token for a person. Absent: the service takes no passwords.
   * @throws ApiError 401 where the login is refused; 503 where that cannot be told now
   */
  readonly signIn?: (login: PersonalLogin) => Promise<SignedIn>;
  /**
   * Absent: people do not sign in at an issuer.
   * @throws ApiError 503 where the issuer cannot be asked now
   */
  readonly oidcClient?: () => Promise<OidcClient>;
}
