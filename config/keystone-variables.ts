/** Turns the standard OS_* variables into one typed login for Keystone, or lists the missing ones. */
import type { Credentials, DomainReference, KeystoneSettings, Reference } from '../clouds/keystone/keystone-settings';

const fields = [
  'osAuthUrl',
  'osUsername',
  'osUserId',
  'osPassword',
  'osUserDomainName',
  'osUserDomainId',
  'osProjectName',
  'osProjectId',
  'osProjectDomainName',
  'osProjectDomainId',
  'osApplicationCredentialId',
  'osApplicationCredentialSecret',
] as const;

/** The rows of the settings table about the login. Other OS_* rows say where the cloud's services are. */
export const keystoneFields: ReadonlySet<string> = new Set(fields);

/** The values of the variables; undefined for a variable that is not set, or wrong. */
export type KeystoneVariables = { readonly [Field in (typeof fields)[number]]?: string | undefined };

const domainOf = (id: string | undefined, name = 'Default'): DomainReference => (id === undefined ? { name } : { id });

const referenceTo = (thing: {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly domain: DomainReference;
}): Reference | undefined => {
  if (thing.id !== undefined) return { id: thing.id };
  return thing.name === undefined ? undefined : { name: thing.name, domain: thing.domain };
};

const userOf = (given: KeystoneVariables): Reference | undefined =>
  referenceTo({
    id: given.osUserId,
    name: given.osUsername,
    domain: domainOf(given.osUserDomainId, given.osUserDomainName),
  });

const projectOf = (given: KeystoneVariables): Reference | undefined =>
  referenceTo({
    id: given.osProjectId,
    name: given.osProjectName,
    domain: domainOf(given.osProjectDomainId, given.osProjectDomainName),
  });

type ReadVariables<T> = { readonly value: T } | { readonly missing: readonly string[] };

/** An application credential when one is named, otherwise user and password. */
const readCredentials = (given: KeystoneVariables): ReadVariables<Credentials> => {
  const { osApplicationCredentialId: id, osApplicationCredentialSecret: secret, osPassword: password } = given;
  if (id !== undefined) {
    if (secret === undefined) return { missing: ['OS_APPLICATION_CREDENTIAL_SECRET'] };
    return { value: { kind: 'applicationCredential', id, secret } };
  }
  const [user, project] = [userOf(given), projectOf(given)];
  if (user !== undefined && password !== undefined && project !== undefined) {
    return { value: { kind: 'password', user, password, project } };
  }
  const needed = { OS_USERNAME: user, OS_PASSWORD: password, OS_PROJECT_NAME: project };
  return { missing: Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : [])) };
};

/** @returns the login, or the names of the variables that are missing */
export const readKeystone = (given: KeystoneVariables): ReadVariables<KeystoneSettings> => {
  const { osAuthUrl: authUrl } = given;
  const credentials = readCredentials(given);
  const missing = 'missing' in credentials ? credentials.missing : [];
  if (authUrl === undefined) return { missing: ['OS_AUTH_URL', ...missing] };
  return 'value' in credentials ? { value: { authUrl, credentials: credentials.value } } : { missing };
};
