/** Which addresses webhooks may have, and which ones their names may lead to. */
import { type AllowedNetwork, isInNetworks } from '../../plugins/addresses/allowed-network';
import type { AllowedSource } from '../../plugins/addresses/allowed-source';
import { isGuardedAddress, isPrivateAddress } from '../../plugins/addresses/guarded-addresses';
import { createUrlPolicy, type UrlGuard, type UrlPolicy } from '../../plugins/addresses/url-policy';

export interface ReceiverRules {
  readonly sources: readonly AllowedSource[];
  /** Private networks that names may lead to. */
  readonly networks: readonly AllowedNetwork[];
}

export const createReceiverPolicy = ({ sources, networks }: ReceiverRules): UrlPolicy => {
  const isListed = isInNetworks(networks);
  const guard: UrlGuard = {
    setting: 'PARLEY_WEBHOOK_ALLOW',
    lists: 'which addresses webhooks may have',
    refuses: 'loopback, link-local, private and metadata addresses',
    isGuarded: (address) => (isGuardedAddress(address) || isPrivateAddress(address)) && !isListed(address),
  };
  return createUrlPolicy(guard, sources);
};
