/** Who logs in to Keystone, and the body of that login (Identity API v3). */

/** By its ID where that is given, else by its name. */
export interface DomainName {
  readonly id?: string | undefined;
  readonly name: string;
}

export type Credentials =
  | {
      readonly kind: 'password';
      readonly username: string;
      readonly userDomain: DomainName;
      readonly password: string;
      /** By its ID where that is given, else by its name and domain. */
      readonly project: { readonly id?: string | undefined; readonly name?: string | undefined };
      readonly projectDomain: DomainName;
    }
  /** Brings its project along. */
  | { readonly kind: 'applicationCredential'; readonly id: string; readonly secret: string };

const domainOf = ({ id, name }: DomainName) => (id === undefined ? { name } : { id });

export const loginBody = (credentials: Credentials): unknown => {
  if (credentials.kind === 'applicationCredential') {
    const { id, secret } = credentials;
    return { auth: { identity: { methods: ['application_credential'], application_credential: { id, secret } } } };
  }
  const { username, userDomain, password, project, projectDomain } = credentials;
  const user = { name: username, domain: domainOf(userDomain), password };
  const scope = project.id === undefined ? { name: project.name, domain: domainOf(projectDomain) } : { id: project.id };
  return { auth: { identity: { methods: ['password'], password: { user } }, scope: { project: scope } } };
};

/** For messages: everything but the secret. */
export const describeCredentials = (credentials: Credentials): string =>
  credentials.kind === 'password' ? `user ${credentials.username}` : `application credential ${credentials.id}`;
