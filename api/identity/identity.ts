/**
 * Who is calling. One small interface, so that another way to tell (Keystone) is another file; what a caller may do is
 * decided in authorization.ts alone.
 */

import type { Id } from '../../planning/fleet/id';

export type Principal = { readonly kind: 'admin' } | { readonly kind: 'project'; readonly projectId: Id };

export interface Identity {
  /** Everybody is admin: whoever reaches the service may do anything, a browser for any page included. */
  readonly trustsEverybody: boolean;
  /**
   * @param token from X-Auth-Token or Authorization: Bearer; undefined where there is none
   * @throws ApiError 401 with a challenge where the caller cannot be told
   */
  authenticate(token: string | undefined): Promise<Principal>;
}
