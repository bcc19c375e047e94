/** Logs the service in: a token of its own, and the cloud's catalogue that comes with it. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { askKeystone, keystoneMessage } from './ask-keystone';
import { KeystoneAway, KeystoneRefusal } from './keystone-errors';
import { type KeystoneSettings, loginBody } from './keystone-settings';

const CatalogSchema = Type.Array(
  Type.Object({
    type: Type.String(),
    endpoints: Type.Array(
      Type.Object({
        interface: Type.String(),
        region_id: Type.Union([Type.String(), Type.Null()]),
        url: Type.String(),
      }),
    ),
  }),
);

const LoginSchema = Type.Object({
  token: Type.Object({ expires_at: Type.String(), catalog: Type.Optional(CatalogSchema) }),
});

/** As Keystone lists it: services by type, each with its endpoints. */
export type Catalog = Static<typeof CatalogSchema>;

export interface ServiceToken {
  /** What is sent as X-Auth-Token: a secret. */
  readonly secret: string;
  readonly expiresAtMs: number;
  readonly catalog: Catalog;
}

/**
 * @throws KeystoneRefusal where the credentials are not accepted
 * @throws KeystoneAway where Keystone cannot say
 */
export const logIn = async ({ authUrl, credentials }: KeystoneSettings): Promise<ServiceToken> => {
  const reply = await askKeystone({ method: 'POST', url: `${authUrl}/auth/tokens`, body: loginBody(credentials) });
  const secret = reply.headers.get('x-subject-token');
  if (reply.status === 201 && secret !== null && Value.Check(LoginSchema, reply.body)) {
    const { expires_at: expiresAt, catalog = [] } = reply.body.token;
    return { secret, expiresAtMs: Date.parse(expiresAt), catalog };
  }
  const because = `${reply.status}: ${keystoneMessage(reply)}`;
  if (reply.status === 401 || reply.status === 403) {
    throw new KeystoneRefusal(`Keystone at ${authUrl} refuses the service's own credentials, OS_* (${because})`);
  }
  throw new KeystoneAway(`what answers at ${authUrl} does not log in as Keystone v3 does (${because})`);
};
