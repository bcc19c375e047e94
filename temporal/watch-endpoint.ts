/**
 * Reads certificates and the API key of Temporal anew, since whoever issues them replaces their files every few days or
 * hours. A running connection goes on with the old ones until its server refuses them.
 */
import { isDeepStrictEqual } from 'node:util';
import { readEndpoint, type TemporalAccess, type TemporalEndpoint } from './temporal-access';

const usualEveryMs = 30_000;
/** Calls that were under way when a connection was replaced have ended by then. */
export const oldConnectionMs = 120_000;

interface Watch {
  readonly access: TemporalAccess;
  /** The endpoint that is in use. */
  readonly first: TemporalEndpoint;
  /** Takes what has changed into use. Where it rejects, it gets the same again a while later. */
  readonly take: (endpoint: TemporalEndpoint) => Promise<void>;
  readonly everyMs?: number | undefined;
}

/** @returns a function that ends the watch */
export const watchEndpoint = ({ access, first, take, everyMs = usualEveryMs }: Watch): (() => void) => {
  let last = first;
  let round = Promise.resolve();
  const look = async (): Promise<void> => {
    const endpoint = await readEndpoint(access);
    if (isDeepStrictEqual(endpoint, last)) return;
    await take(endpoint);
    last = endpoint;
  };
  const timer = setInterval(() => {
    // A file may be missing, or not fit its key, while it is being replaced. The old ones stay until then.
    round = round.then(look).catch(() => undefined);
  }, everyMs).unref();
  return () => clearInterval(timer);
};
