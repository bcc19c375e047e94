/**
 * The login to Keystone v3: the standard OS_* variables as one typed value (config/keystone-variables.ts reads them),
 * and the body of the login request.
 */

export type DomainReference = { readonly id: string } | { readonly name: string };

/** A user or project, by its ID, or by its name within a domain. */
export type Reference = { readonly id: string } | { readonly name: string; readonly domain: DomainReference };

export type Credentials =
  | {
      readonly kind: 'password';
      readonly user: Reference;
      readonly password: string;
      /** Left out: the user's default project, where there is one. */
      readonly project?: Reference;
    }
  /** An application credential. Its project is fixed in Keystone. */
  | { readonly kind: 'applicationCredential'; readonly id: string; readonly secret: string };

export interface KeystoneSettings {
  /** Ends in /v3. */
  readonly authUrl: string;
  readonly credentials: Credentials;
}

/** Body of POST /v3/auth/tokens. */
export const loginBody = (credentials: Credentials): object => {
  if (credentials.kind === 'applicationCredential') {
    const { id, secret } = credentials;
    return { auth: { identity: { methods: ['application_credential'], application_credential: { id, secret } } } };
  }
  const { user, password, project } = credentials;
  return {
    auth: {
      identity: { methods: ['password'], password: { user: { ...user, password } } },
      ...(project && { scope: { project } }),
    },
  };
};

/** The login for messages: everything but the secret. */
export const describeCredentials = (credentials: Credentials): string => {
  if (credentials.kind === 'applicationCredential') return `application credential ${credentials.id}`;
  const { user } = credentials;
  return `user ${'name' in user ? user.name : user.id}`;
};
