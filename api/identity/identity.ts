/**
 * Identifies the caller. One small interface, so that another way to identify callers (Keystone) is another file. Only
 * authorization.ts decides what a caller may do.
 */

import type { Id } from '../../planning/fleet/id';

/** `caller` tells people apart, where that can be told: it stays the same from one token to the next. */
export type Principal =
  | { readonly kind: 'admin'; readonly caller?: string }
  | { readonly kind: 'project'; readonly projectId: Id; readonly caller?: string };

export interface Identity {
  /** True when every caller is admin: whoever reaches the service may do anything, including a browser for any page. */
  readonly trustsEverybody: boolean;
  /**
   * @param token from X-Auth-Token or Authorization: Bearer; undefined when there is none
   * @throws ApiError 401 with a challenge when the caller cannot be identified
   */
  authenticate(token: string | undefined): Promise<Principal>;
}
