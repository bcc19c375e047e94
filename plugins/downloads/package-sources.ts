/** Says from where packages may come. */
import type { AllowedSource } from '../addresses/allowed-source';
import { isGuardedAddress } from '../addresses/guarded-addresses';
import { createUrlPolicy, nothingAllowed, type UrlGuard, type UrlPolicy } from '../addresses/url-policy';

/** Private networks are not refused: packages usually come from there, and the setting says from which hosts. */
const packageGuard: UrlGuard = {
  setting: 'PARLEY_DOWNLOAD_ALLOW',
  lists: 'where packages may come from',
  refuses: 'loopback, link-local and metadata addresses',
  isGuarded: isGuardedAddress,
};

export const noSourceAllowed = nothingAllowed(packageGuard);

export const createPackagePolicy = (allowed: readonly AllowedSource[]): UrlPolicy =>
  createUrlPolicy(packageGuard, allowed);
