/** Opens the way of identifying callers that the settings name, with the services that it needs. */
import type { Logger } from 'pino';
import { createExchange } from '../../clouds/http/exchange';
import { connectKeystone } from '../../clouds/keystone/keystone';
import { type CallerReviews, connectCallerReviews } from '../../clouds/kubernetes/caller-reviews';
import { type KubernetesAccessSettings, openKubernetesClient } from '../../clouds/kubernetes/open-client';
import type { Settings } from '../../config/settings';
import type { ReadinessCheck } from '../readiness/readiness';
import type { Identity } from './identity';
import { createKeystoneIdentity } from './keystone-identity';
import { createKubernetesIdentity } from './kubernetes-identity';
import { createNoIdentity } from './no-identity';
import { createOidcIdentity, type OidcSettings } from './oidc-identity';
import { findIssuer } from './oidc-issuer';
import { readTokens } from './token-file';
import { createTokenIdentity } from './token-identity';

export interface OpenedIdentity {
  readonly identity: Identity;
  readonly needs: readonly ReadinessCheck[];
}

export type IdentitySettings = Pick<
  Settings,
  'auth' | 'tokensFile' | 'keystone' | 'osCacert' | 'adminRole' | 'projectRole' | 'tokenCacheSeconds'
> &
  Omit<OidcSettings, 'oidcIssuer' | 'oidcAudience'> &
  Pick<Settings, 'oidcIssuer' | 'oidcAudience' | 'oidcCa' | 'kubernetesAudience'> &
  KubernetesAccessSettings;

export interface IdentityParts {
  readonly logger: Logger;
  /** The limit for an answer of Keystone or of an issuer. Left out: short, because a caller waits for it. */
  readonly answerSeconds?: number;
}

const usualAnswerSeconds = 5;

const openKeystone = (
  settings: IdentitySettings,
  { logger, answerSeconds }: Required<IdentityParts>,
): OpenedIdentity => {
  if (settings.keystone === undefined) throw new Error('PARLEY_AUTH=keystone needs the OS_* settings');
  const exchange = createExchange({ timeoutSeconds: answerSeconds, caFile: settings.osCacert, proxies: settings });
  const keystone = connectKeystone(settings.keystone, exchange);
  const { tokenCacheSeconds } = settings;
  return {
    identity: createKeystoneIdentity({ keystone, roles: settings, tokenCacheSeconds, logger }),
    needs: [
      {
        name: 'Keystone',
        hint: 'check that it runs at OS_AUTH_URL and that the credentials in OS_* are correct',
        attempt: () => keystone.ping(),
      },
    ],
  };
};

const openOidc = (settings: IdentitySettings, answerSeconds: number): OpenedIdentity => {
  const { oidcIssuer, oidcAudience, oidcCa } = settings;
  if (oidcIssuer === undefined || oidcAudience === undefined) {
    throw new Error('PARLEY_AUTH=oidc needs PARLEY_OIDC_ISSUER and PARLEY_OIDC_AUDIENCE');
  }
  const exchange = createExchange({ timeoutSeconds: answerSeconds, caFile: oidcCa, proxies: settings });
  const issuer = findIssuer({ issuer: oidcIssuer, exchange });
  return {
    identity: createOidcIdentity({ settings: { ...settings, oidcIssuer, oidcAudience }, issuer }),
    needs: [
      {
        name: 'The issuer of tokens',
        hint: 'check that it runs at PARLEY_OIDC_ISSUER, and PARLEY_OIDC_CA where its certificate is of your own',
        attempt: async () => {
          await issuer();
        },
      },
    ],
  };
};

const openKubernetes = (
  settings: IdentitySettings,
  { logger, answerSeconds }: Required<IdentityParts>,
): OpenedIdentity => {
  const client = openKubernetesClient({ ...settings, kubernetesTimeoutSeconds: answerSeconds });
  const reviews = connectCallerReviews(client, { audience: settings.kubernetesAudience });
  const { tokenCacheSeconds } = settings;
  return {
    identity: createKubernetesIdentity({ reviews, tokenCacheSeconds, logger }),
    needs: [
      {
        name: 'The Kubernetes API',
        hint: 'check that it runs, and that the service may create tokenreviews and subjectaccessreviews',
        attempt: () => tryReviews(reviews),
      },
    ],
  };
};

/** Asks about nobody, which needs the same rights as a question about somebody. */
const tryReviews = async (reviews: CallerReviews): Promise<void> => {
  await reviews.ownerOf('none');
  await reviews.mayManage({ username: 'nobody' }, 'sessions');
};

const openTokens = async ({ tokensFile }: IdentitySettings): Promise<OpenedIdentity> => {
  if (tokensFile === undefined) throw new Error('PARLEY_AUTH=token needs PARLEY_TOKENS_FILE');
  return { identity: createTokenIdentity(await readTokens(tokensFile)), needs: [] };
};

/** @throws Error when settings for this way are missing, or a file that they name cannot be read */
export const openIdentity = async (
  settings: IdentitySettings,
  { logger, answerSeconds = usualAnswerSeconds }: IdentityParts,
): Promise<OpenedIdentity> => {
  switch (settings.auth) {
    case 'keystone':
      return openKeystone(settings, { logger, answerSeconds });
    case 'oidc':
      return openOidc(settings, answerSeconds);
    case 'kubernetes':
      return openKubernetes(settings, { logger, answerSeconds });
    case 'token':
      return openTokens(settings);
    case 'none':
      return { identity: createNoIdentity(), needs: [] };
  }
};
