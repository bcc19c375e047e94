/** A token as Keystone gives it, with the catalogue of services that it opens. */
import { type Static, Type } from '@sinclair/typebox';
import type { HttpAnswer } from '../http/exchange';
import { parserOf } from '../http/parse-answer';

const endpoint = Type.Object({
  interface: Type.String(),
  url: Type.String(),
  region_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const service = Type.Object({ type: Type.String(), endpoints: Type.Array(endpoint) });

const parseToken = parserOf(
  "Keystone's token",
  Type.Object({
    token: Type.Object({
      expires_at: Type.String(),
      user: Type.Object({ id: Type.String() }),
      catalog: Type.Optional(Type.Array(service)),
    }),
  }),
);

export type CatalogService = Static<typeof service>;

export interface Token {
  /** The secret itself: it goes into X-Auth-Token and nowhere else. */
  readonly secret: string;
  readonly userId: string;
  readonly expiresAtMs: number;
  readonly catalog: readonly CatalogService[];
}

/** @throws Error where the answer is no token */
export const tokenIn = ({ headers, body }: HttpAnswer): Token => {
  const secret = headers.get('x-subject-token');
  if (secret === undefined) throw new Error('the answer of Keystone has no X-Subject-Token');
  const { token } = parseToken(body);
  const expiresAtMs = Date.parse(token.expires_at);
  if (Number.isNaN(expiresAtMs)) throw new Error(`Keystone's token ends at "${token.expires_at}", which is no time`);
  return { secret, userId: token.user.id, expiresAtMs, catalog: token.catalog ?? [] };
};
