/** What can go wrong with Keystone. Neither error holds a token or a password, so both may be logged. */

/** It does not answer, or not as it should; asked again later it may. */
export class KeystoneAway extends Error {
  override readonly name = 'KeystoneAway';
}

/** It does not let the service in: an operator has to mend the service's credentials or roles. */
export class KeystoneRefusal extends Error {
  override readonly name = 'KeystoneRefusal';
}
