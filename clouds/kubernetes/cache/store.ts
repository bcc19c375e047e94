/** The objects of one kind, as a watch tells them. */
import type { KubernetesClient } from '../client/kubernetes-client';
import { isStatus } from '../client/kubernetes-error';
import type { ObjectMetadata, Resource } from '../client/resource';
import { follow, type Follower } from '../client/watch';

interface KubernetesObject {
  readonly metadata: ObjectMetadata;
}

export interface Store<T> {
  /** Resolves when the objects are there and the watch runs. @throws Error the reason why it does not */
  readonly ready: () => Promise<void>;
  readonly all: () => Iterable<T>;
  readonly byUid: (uid: string) => T | undefined;
  readonly byName: (name: string, namespace?: string) => T | undefined;
  /** Takes an object that was read, unless a newer state is known, in which it has changed or is gone. */
  readonly put: (object: T) => void;
}

export interface StoreOptions<T> {
  readonly client: KubernetesClient;
  readonly resource: Resource<T>;
  readonly signal: AbortSignal;
  /** True where the service works without them: there are none where it may not see them, or nobody serves them. */
  readonly isOptional?: boolean;
}

/** Follows the kind from the first call of `ready` on. */
export const createStore = <T extends KubernetesObject>({
  client,
  resource,
  signal,
  isOptional = false,
}: StoreOptions<T>): Store<T> => {
  const { listed, put, drop, ...known } = createIndex<T>();
  const state = watchState();
  /** All that the cluster had at this version is known. */
  let reached: string | undefined;
  const follower: Follower<T> = {
    ...{ listed, put, drop },
    reached: (resourceVersion) => (reached = resourceVersion),
    opened: state.opened,
    broken(error) {
      if (isOptional && isStatus(error, 403, 404)) state.opened();
      else state.broken(error);
    },
  };
  let isFollowed = false;
  return {
    ...known,
    put(object) {
      const isKnown = known.byUid(object.metadata.uid ?? '') !== undefined;
      if (isKnown || reached === undefined || isOlder({ resourceVersion: reached }, object.metadata)) put(object);
    },
    ready() {
      if (signal.aborted) return Promise.reject(isClosed());
      if (!isFollowed) void follow(client, resource, { follower, signal }).then(() => state.broken(isClosed()));
      isFollowed = true;
      return state.ready();
    },
  };
};

const isClosed = (): Error => new Error('the driver of the cluster is closed');

/** The objects by UID, and the UIDs by name. */
const createIndex = <T extends KubernetesObject>() => {
  const objects = new Map<string, T>();
  const uidOfName = new Map<string, string>();
  const put = (object: T): void => {
    const { uid = '' } = object.metadata;
    const known = objects.get(uid);
    if (known !== undefined && isOlder(object.metadata, known.metadata)) return;
    objects.set(uid, object);
    uidOfName.set(nameKey(object.metadata), uid);
  };
  return {
    put,
    drop: ({ metadata }: T): void => {
      const { uid = '' } = metadata;
      objects.delete(uid);
      // The next object of the name may be there already.
      if (uidOfName.get(nameKey(metadata)) === uid) uidOfName.delete(nameKey(metadata));
    },
    listed: (items: readonly T[]): void => {
      objects.clear();
      uidOfName.clear();
      items.forEach(put);
    },
    all: (): Iterable<T> => objects.values(),
    byUid: (uid: string): T | undefined => objects.get(uid),
    byName: (name: string, namespace?: string): T | undefined =>
      objects.get(uidOfName.get(nameKey({ name, namespace })) ?? ''),
  };
};

const nameKey = ({
  name,
  namespace = '',
}: {
  readonly name: string;
  readonly namespace?: string | undefined;
}): string => `${namespace}/${name}`;

type Versioned = Pick<ObjectMetadata, 'resourceVersion'>;

/** Versions of one cluster are numbers that grow. */
const isOlder = (one: Versioned, known: Versioned): boolean =>
  Number(one.resourceVersion ?? 0) < Number(known.resourceVersion ?? 0);

/** Lets callers wait until the watch runs. */
const watchState = () => {
  let isOpen = false;
  let waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  const takeWaiting = (): typeof waiting => {
    const all = waiting;
    waiting = [];
    return all;
  };
  return {
    ready: (): Promise<void> =>
      isOpen
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            waiting.push({ resolve, reject });
          }),
    opened: (): void => {
      isOpen = true;
      for (const { resolve } of takeWaiting()) resolve();
    },
    broken: (error: unknown): void => {
      isOpen = false;
      for (const { reject } of takeWaiting()) reject(error);
    },
  };
};
