/** An OpenID Connect issuer for a test file, and the service's identity by it. */
import { pino } from 'pino';
import type { Identity } from '../../../api/identity/identity';
import { openIdentity } from '../../../api/identity/open-identity';
import { loadSettings } from '../../../config/settings';
import { audience, startIssuer, type TestIssuer } from '../../builders/an-issuer';
import { otherProject, ownProject } from './api-under-test';

const claims = {
  admin: { realm_access: { roles: ['parley-admin'] } },
  own: { project_id: ownProject },
  // The other form of an ID.
  other: { project_id: otherProject.replaceAll('-', '') },
} as const;

export const anOidcIssuer = () => {
  let issuer: TestIssuer;
  let identity: Identity;

  beforeAll(async () => {
    issuer = await startIssuer();
    const settings = loadSettings({
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
      PARLEY_AUTH: 'oidc',
      PARLEY_OIDC_ISSUER: issuer.url,
      PARLEY_OIDC_AUDIENCE: audience,
      PARLEY_OIDC_CLIENT_ID: 'parley-page',
    });
    identity = (await openIdentity(settings, { logger: pino({ level: 'silent' }), answerSeconds: 120 })).identity;
  });
  afterAll(() => issuer.stop());

  return {
    url: (): string => issuer.url,
    identity: (): Identity => identity,
    tokenOf: (caller: keyof typeof claims): Promise<string> => issuer.sign({ claims: claims[caller] }),
  };
};
