/** A token of Keystone. The HTTP client of this is loaded only where a command logs in. */
import { createExchange, type ExchangeOptions } from '../../clouds/http/exchange';
import type { KeystoneSettings } from '../../clouds/keystone/keystone-settings';
import { logIn } from '../../clouds/keystone/log-in';
import { CommandFailure, exitCodes } from './exit';

/** @throws CommandFailure */
export const signIn = async (
  keystone: KeystoneSettings,
  way: Omit<ExchangeOptions, 'timeoutSeconds'>,
): Promise<string> => {
  try {
    return (await logIn(keystone, createExchange({ timeoutSeconds: 9, ...way }))).secret;
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), exitCodes.signIn);
  }
};
