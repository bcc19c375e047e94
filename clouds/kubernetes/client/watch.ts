/**
 * Follows all objects of a kind: lists them once, then watches. A watch that ends is resumed where it was, and one that
 * is too old (410) begins with a new list. It ends only when it is told to.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesClient, ListOptions } from './kubernetes-client';
import { withQuery } from './kubernetes-client';
import { isStatus, kubernetesError } from './kubernetes-error';
import { linesOf } from './lines';
import type { Resource } from './resource';

/** Takes what a watch tells. */
export interface Follower<T> {
  /** All objects that there are: those which are not among them are gone. */
  listed(items: readonly T[]): void;
  /** A new object, or a new state of one. */
  put(object: T): void;
  drop(object: T): void;
  /** The state of the cluster up to which everything is told. */
  reached?(resourceVersion: string): void;
  /** The watch runs: from now on every change is told soon. */
  opened?(): void;
  /** The watch is broken and is begun again after a pause. */
  broken?(error: unknown): void;
}

export interface FollowOptions extends ListOptions {
  readonly signal: AbortSignal;
  /** The watch is resumed when nothing came for this long; the server sends a bookmark each minute. */
  readonly quietMs?: number;
}

const longestPauseMs = 30_000;

/** A server that ends each watch at once is not asked without a pause. */
const betweenWatchesMs = 100;

/** Resolves when the signal is aborted. It never rejects. */
export const follow = async <T>(
  client: KubernetesClient,
  resource: Resource<T>,
  { follower, signal, quietMs = 90_000, ...list }: FollowOptions & { readonly follower: Follower<T> },
): Promise<void> => {
  let since: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      since ??= await listOnce(client, resource, { follower, list });
      const watched = { resource, follower, list, signal, quietMs, since };
      for await (const version of watchOnce(client, watched)) {
        since = version;
        failures = 0;
        follower.reached?.(version);
      }
      await pause(betweenWatchesMs);
    } catch (error) {
      if (isAborted(signal)) return;
      if (isStatus(error, 410)) {
        since = undefined;
      } else {
        follower.broken?.(error);
        failures += 1;
      }
      await pause(pauseMs(error, failures), undefined, { signal }).catch(() => undefined);
    }
  }
};

/** A function, since the compiler takes the flag for unchanged after an `await`. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

/** The pause after an error: not longer than half a minute, whatever the server asks for. */
export const pauseMs = (error: unknown, failures: number): number => {
  if (isStatus(error, 410)) return betweenWatchesMs;
  const asked = isStatus(error, 429, 503) ? error.details.retryAfterSeconds : undefined;
  return Math.min(longestPauseMs, asked === undefined ? 250 * 2 ** failures : asked * 1000);
};

const listOnce = async <T>(
  client: KubernetesClient,
  resource: Resource<T>,
  { follower, list }: { readonly follower: Follower<T>; readonly list: ListOptions },
): Promise<string> => {
  const { items, resourceVersion } = await client.list(resource, list);
  follower.listed(items);
  follower.reached?.(resourceVersion);
  return resourceVersion;
};

interface WatchedResource<T> {
  readonly resource: Resource<T>;
  readonly follower: Follower<T>;
  readonly list: ListOptions;
  readonly signal: AbortSignal;
  readonly quietMs: number;
  readonly since: string;
}

/** One watch, to its end. Yields the state that was reached, event by event. */
async function* watchOnce<T>(
  client: KubernetesClient,
  { resource, follower, list: { namespace, ...selectors }, signal, quietMs, since }: WatchedResource<T>,
): AsyncGenerator<string> {
  const query = { ...selectors, watch: '1', allowWatchBookmarks: 'true', resourceVersion: since };
  const path = withQuery(resource.pathIn(namespace), query);
  const { status, headers, body } = await client.open({ method: 'GET', path }, { quietMs, signal });
  if (status !== 200) throw kubernetesError(`GET ${path}`, { status, headers, body: parsed(await body.text()) });
  follower.opened?.();
  for await (const line of linesOf(body)) {
    const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { resourceVersion: string } } };
    if (type === 'ERROR') throw watchError(path, object);
    if (type === 'DELETED') follower.drop(resource.parse(object));
    else if (type !== 'BOOKMARK') follower.put(resource.parse(object));
    yield object.metadata.resourceVersion;
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const watchError = (path: string, body: unknown): Error => {
  const status = typeof body === 'object' && body !== null && 'code' in body ? Number(body.code) : 500;
  return kubernetesError(`the watch GET ${path}`, { status, headers: new Map(), body });
};
