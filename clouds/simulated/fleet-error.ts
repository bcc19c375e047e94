/** A fleet cannot be read, loaded or edited as requested. The message names the fault and is for people. */
export class FleetError extends Error {
  override readonly name = 'FleetError';
}
