/** The endpoints by which people sign in: additions to the interface. */
import { SignedInSchema, SignInSchema, SignInWaysSchema, WhoamiSchema } from '../schemas/sign-in-schemas';
import { body, type Operation } from './documented-endpoint';

export const signInOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/sign-in',
    id: 'listSignInWays',
    summary: 'Tell how people sign in to this service. An addition',
    tag: 'Sign-in',
    access: 'everybody',
    response: body('SignInWays', SignInWaysSchema),
    errors: [500],
  },
  {
    method: 'post',
    path: '/v1/sign-in',
    id: 'signIn',
    summary:
      'Get a token by user and password, where the service is set to Keystone; others answer 422. Keystone decides, ' +
      'and locks users who try too often. An addition',
    tag: 'Sign-in',
    access: 'everybody',
    request: body('SignIn', SignInSchema),
    response: body('SignedIn', SignedInSchema),
    errors: [400, 401, 422, 500],
  },
  {
    method: 'get',
    path: '/v1/whoami',
    id: 'whoami',
    summary: 'Tell the role of the token, and its end. An addition',
    tag: 'Sign-in',
    access: 'project',
    response: body('Whoami', WhoamiSchema),
    errors: [500],
  },
];
