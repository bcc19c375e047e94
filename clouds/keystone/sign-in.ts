/** Asks Keystone for a token for a person who gives user and password. Keystone alone counts and locks attempts. */
import type { Exchange } from '../http/exchange';
import type { Credentials } from './keystone-settings';
import { askForToken, type LoginAnswer } from './log-in';

/** Names, as Keystone has them. */
export interface PersonalLogin {
  readonly user: string;
  readonly password: string;
  /** Domains that are left out are `Default`. */
  readonly userDomain?: string;
  /** Left out: the user's default project. */
  readonly project?: string;
  readonly projectDomain?: string;
}

const named = (name: string, domain = 'Default') => ({ name, domain: { name: domain } });

const credentialsOf = ({ user, password, userDomain, project, projectDomain }: PersonalLogin): Credentials => ({
  kind: 'password',
  user: named(user, userDomain),
  password,
  ...(project !== undefined && { project: named(project, projectDomain) }),
});

export interface PersonalLogins {
  readonly authUrl: string;
  readonly exchange: Exchange;
}

/** @throws KeystoneAway where Keystone cannot say */
export const signIn = ({ authUrl, exchange }: PersonalLogins, login: PersonalLogin): Promise<LoginAnswer> =>
  askForToken({ authUrl, credentials: credentialsOf(login) }, exchange);
