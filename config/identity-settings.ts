/** The settings by which callers are identified; rows of the table in settings-table.ts. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

const needed = 'none; required with `PARLEY_AUTH=oidc`';

export const identitySettings = {
  auth: withDefault('PARLEY_AUTH', 'none', {
    meaning:
      'How callers are identified: `none` (everybody on this machine is admin), `token`, `keystone`, `oidc` or `kubernetes`.',
    parse: parse.oneOf('none', 'token', 'keystone', 'oidc', 'kubernetes'),
  }),
  tokensFile: optional('PARLEY_TOKENS_FILE', 'none; required with `PARLEY_AUTH=token`', {
    meaning: 'JSON list of `{ sha256, name, role, project_id }`, role `admin` or `project`; `name` is for the audit.',
    parse: parse.filePath,
  }),
  adminRole: withDefault('PARLEY_ADMIN_ROLE', 'admin', {
    meaning: 'Keystone role that makes its holder admin of the service.',
    parse: parse.roleName,
  }),
  projectRole: withDefault('PARLEY_PROJECT_ROLE', 'member', {
    meaning: "Keystone role that a caller needs to act for its token's project.",
    parse: parse.roleName,
  }),
  tokenCacheSeconds: withDefault('PARLEY_TOKEN_CACHE_SECONDS', '30', {
    meaning:
      'Seconds for which the service keeps the answer of Keystone or of the Kubernetes API about a token; a revoked token is good for as long.',
    parse: parse.integer({ min: 0, max: 3_600 }),
  }),
  oidcIssuer: optional('PARLEY_OIDC_ISSUER', needed, {
    meaning:
      'Issuer of the tokens, exactly as they name it in `iss`; its keys are found by its `/.well-known/openid-configuration`.',
    parse: parse.issuerUrl,
  }),
  oidcAudience: optional('PARLEY_OIDC_AUDIENCE', needed, {
    meaning: 'Audience that a token must name: this service, by the name that the issuer has for it.',
    parse: parse.anyText,
  }),
  oidcAudienceClaim: withDefault('PARLEY_OIDC_AUDIENCE_CLAIM', '/aud', {
    meaning:
      'Claim that names the audience, as a JSON pointer: `/client_id` for the access tokens of Amazon Cognito, which have no `aud`.',
    parse: parse.jsonPointer,
  }),
  oidcClientId: optional('PARLEY_OIDC_CLIENT_ID', 'none: on the page, people paste a token', {
    meaning: 'Public client of the issuer by which the page signs people in (code flow with PKCE).',
    parse: parse.anyText,
  }),
  oidcScope: withDefault('PARLEY_OIDC_SCOPE', 'openid', {
    meaning: 'Scopes that the page asks for, separated by blanks.',
    parse: parse.anyText,
  }),
  oidcAdminClaim: withDefault('PARLEY_OIDC_ADMIN_CLAIM', '/realm_access/roles', {
    meaning: 'Claim that says who is admin, as a JSON pointer: a list, or a text of words such as `scope`.',
    parse: parse.jsonPointer,
  }),
  oidcAdminValues: withDefault('PARLEY_OIDC_ADMIN_VALUES', 'parley-admin', {
    meaning: 'Values in that claim that make an admin, separated by commas; one of them is enough.',
    parse: parse.textList,
  }),
  oidcProjectClaim: withDefault('PARLEY_OIDC_PROJECT_CLAIM', '/project_id', {
    meaning: 'Claim that holds the ID of the project for which a token acts, as a JSON pointer.',
    parse: parse.jsonPointer,
  }),
  oidcAlgorithms: withDefault('PARLEY_OIDC_ALGORITHMS', 'RS256,PS256,ES256', {
    meaning: 'Signatures that are accepted, separated by commas; those with a shared secret never are.',
    parse: parse.signatureAlgorithms,
  }),
  oidcClockSkewSeconds: withDefault('PARLEY_OIDC_CLOCK_SKEW_SECONDS', '30', {
    meaning: "Seconds by which the issuer's clock may differ from the service's.",
    parse: parse.integer({ min: 0, max: 300 }),
  }),
  oidcCa: optional('PARLEY_OIDC_CA', 'those of Node.js', {
    meaning: 'File with the certificates (PEM) that the issuer is trusted by.',
    parse: parse.filePath,
  }),
  kubernetesAudience: optional('PARLEY_KUBERNETES_AUDIENCE', "the API server's own", {
    meaning:
      'With `PARLEY_AUTH=kubernetes`: audience that a token must be for, such as `parley`, so that nobody can use it on the API server.',
    parse: parse.anyText,
  }),
} as const;

interface GivenIdentity {
  readonly auth?: string;
  readonly oidcIssuer?: string | undefined;
  readonly oidcAudience?: string | undefined;
}

/** The settings that PARLEY_AUTH=oidc cannot do without. */
export const oidcProblems = ({ auth, oidcIssuer, oidcAudience }: GivenIdentity): string[] => {
  if (auth !== 'oidc') return [];
  const asked = { PARLEY_OIDC_ISSUER: oidcIssuer, PARLEY_OIDC_AUDIENCE: oidcAudience };
  return Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [`${name} is not set; PARLEY_AUTH=oidc checks tokens with it`] : [],
  );
};
