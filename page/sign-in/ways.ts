/** How people sign in to this service, and who they are then. */
import type { Answer, Http } from '../client/http';
import type { components } from '../client/openapi';

export type SignInWays = Answer<'/v1/sign-in', 'get'>;
export type Who = Answer<'/v1/whoami', 'get'>;
export type Credentials = components['schemas']['SignIn'];

export const findWays = (http: Http): Promise<SignInWays> => http.call('get', '/v1/sign-in');
export const findWho = (http: Http): Promise<Who> => http.call('get', '/v1/whoami');
export const signInWith = (http: Http, body: Credentials): Promise<{ readonly token: string }> =>
  http.call('post', '/v1/sign-in', { body });
