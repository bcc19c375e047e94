/** How people sign in: the endpoints that need no token, and the one that tells whose a token is. Additions. */
import { type RequestHandler, type Response, Router } from 'express';
import type { PersonalLogin } from '../../clouds/keystone/sign-in';
import { createSecretReader } from '../http/read-body';
import { createBodyParser } from '../http/schema-check';
import { principalOf } from '../identity/authorization';
import type { Identity, OidcClient, Principal } from '../identity/identity';
import { createSignInPace } from '../identity/sign-in-pace';
import { signInBusy, tooManySignIns } from '../problems/away-problems';
import type { FieldError } from '../problems/problem';
import { bodyDoesNotFit, noPasswordSignIn } from '../problems/problem-catalogue';
import { type SignedInBody, SignInSchema, type SignInWaysBody, type WhoamiBody } from '../schemas/sign-in-schemas';

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** An error about a value repeats the value. */
const withoutPassword = ({ pointer, message }: FieldError): FieldError =>
  pointer === '/password' ? { pointer, message: 'must be a text of 1 to 4096 characters' } : { pointer, message };

const parseSignIn = createBodyParser(SignInSchema, (errors) => bodyDoesNotFit(errors.map(withoutPassword)));

const toLogin = (given: unknown): PersonalLogin => {
  const { user, password, project, ...domains } = parseSignIn(given);
  return {
    user,
    password,
    ...(project !== undefined && { project }),
    ...(domains.user_domain !== undefined && { userDomain: domains.user_domain }),
    ...(domains.project_domain !== undefined && { projectDomain: domains.project_domain }),
  };
};

const describeClient = (client: OidcClient): NonNullable<SignInWaysBody['oidc']> => ({
  issuer: client.issuer,
  authorization_endpoint: client.authorizationEndpoint,
  token_endpoint: client.tokenEndpoint,
  client_id: client.clientId,
  scope: client.scope,
});

const mostAtOnce = 8;

/** Each attempt is a call to Keystone and an entry of the audit, and anybody may try. */
const limitAtOnce = (): RequestHandler => {
  const underWay = new Set<Response>();
  return (_req, res, next) => {
    if (underWay.size >= mostAtOnce) throw signInBusy();
    underWay.add(res);
    res.once('close', () => underWay.delete(res));
    next();
  };
};

/** Stands before the audit: what it refuses leaves no entry. */
const limitPace = (): RequestHandler => {
  const pace = createSignInPace();
  return (req, _res, next) => {
    if (!pace.admits(req.socket.remoteAddress ?? '')) throw tooManySignIns();
    next();
  };
};

export interface SignInParts {
  readonly identity: Identity;
  readonly auditor: RequestHandler;
  /** The address of a session's workflow in Temporal's Web UI, without the session's ID; undefined: not known. */
  readonly workflowsUrl: string | undefined;
}

/** @returns the routes that stand before the check of the token */
export const createSignInRoutes = ({ identity, auditor, workflowsUrl }: SignInParts): Router => {
  const router = Router();
  router.get('/sign-in', async (_req, res) => {
    const { name, ways } = identity;
    const client = await identity.oidcClient?.();
    const answer: SignInWaysBody = {
      identity: name,
      ways: [...ways],
      ...(client && { oidc: describeClient(client) }),
      ...(workflowsUrl !== undefined && { temporal_ui_url: workflowsUrl }),
    };
    res.json(answer);
  });
  // Whoever sends a body slowly, or never all of it, takes no place from others.
  router.post('/sign-in', ...createSecretReader(), limitAtOnce(), limitPace(), auditor, async (req, res) => {
    if (identity.signIn === undefined) throw noPasswordSignIn(identity.name);
    const { token, expiresAtMs } = await identity.signIn(toLogin(req.body));
    const answer: SignedInBody = { token, expires_at: isoTime(expiresAtMs) };
    res.json(answer);
  });
  return router;
};

const nameOf = ({ personName, callerName, caller }: Principal): Pick<WhoamiBody, 'name'> => {
  const name = personName ?? callerName ?? caller;
  return name === undefined ? {} : { name };
};

const describePrincipal = (principal: Principal, cloudName: string): WhoamiBody => ({
  role: principal.kind,
  cloud_name: cloudName,
  ...nameOf(principal),
  ...(principal.kind === 'project' && { project_id: principal.projectId.text }),
  ...(principal.kind === 'project' && principal.projectName && { project_name: principal.projectName }),
  ...(principal.expiresAtMs !== undefined && { expires_at: isoTime(principal.expiresAtMs) }),
});

/** @param cloudName of the cloud that the service works on, for people */
export const createWhoamiRoutes = (cloudName: string): Router => {
  const router = Router();
  router.get('/whoami', (req, res) => {
    res.json(describePrincipal(principalOf(req), cloudName));
  });
  return router;
};
