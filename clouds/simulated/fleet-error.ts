/** A fleet cannot be read, loaded or edited as asked; the message says what is wrong and is meant for people. */
export class FleetError extends Error {
  override readonly name = 'FleetError';
}
