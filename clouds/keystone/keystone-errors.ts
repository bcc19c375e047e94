/** The errors of Keystone. They hold no token and no password, so they may be logged. */

/** Keystone does not answer, or its answer makes no sense. A later attempt may succeed. */
export class KeystoneAway extends Error {
  override readonly name = 'KeystoneAway';
}

/** Keystone refuses the service: an operator has to correct the service's credentials or roles. */
export class KeystoneRefusal extends Error {
  override readonly name = 'KeystoneRefusal';
}
