/**
 * Typed requests to the API server of a Kubernetes cluster. A read is repeated with pauses when that may help, as the
 * server asks for (Retry-After). A change is repeated only where the server did nothing with it (429), and not at all
 * where the caller says so: an eviction has refusals of its own under 429.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isPassing, mostTries, pauseBeforeRetryMs, wasNotTaken } from '../../http/back-off';
import { type HttpAnswer, NoAnswer } from '../../http/exchange';
import { kubernetesError } from './kubernetes-error';
import type { Resource } from './resource';
import type { HttpCall, OpenAnswer, Transport } from './transport';

/** An object by its name. */
export interface ObjectName {
  readonly name: string;
  /** Left out for kinds that are in no namespace. */
  readonly namespace?: string | undefined;
}

export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListedResources<T> {
  readonly items: T[];
  /** The state of the cluster that was read. A watch begins with it. */
  readonly resourceVersion: string;
}

/** merge: RFC 7386. strategic: lists are merged by their keys. json: RFC 6902. */
export type PatchType = 'merge' | 'strategic' | 'json';

export interface ChangeOptions {
  /** Part of the object, such as `status`. */
  readonly subresource?: string;
  /** The server answers as if it made the change, and makes none. */
  readonly isDryRun?: boolean;
}

export interface DeleteOptions {
  /** The object is deleted only if it is still this one. */
  readonly uid?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

export interface KubernetesClient {
  /** Undefined when there is no such object. @throws KubernetesError, NoAnswer, AccessFault, as all others do */
  get<T>(resource: Resource<T>, at: ObjectName): Promise<T | undefined>;
  /** All objects, read page by page. */
  list<T>(resource: Resource<T>, options?: ListOptions): Promise<ListedResources<T>>;
  /** @param object without `apiVersion` and `kind` */
  create<T>(
    resource: Resource<T>,
    object: { readonly metadata?: Partial<ObjectName> & Readonly<Record<string, unknown>> } & Readonly<
      Record<string, unknown>
    >,
    options?: Pick<ChangeOptions, 'isDryRun'>,
  ): Promise<T>;
  patch<T>(
    resource: Resource<T>,
    at: ObjectName,
    change: { readonly patch: unknown; readonly type: PatchType } & ChangeOptions,
  ): Promise<T>;
  /** True when it is deleted now; false when it was gone before. */
  delete(resource: Resource<unknown>, at: ObjectName, options?: DeleteOptions): Promise<boolean>;
  /** Any other call: its answer as it came, when it was a success. @param tries 1: it is not repeated */
  call(call: HttpCall, tries?: number): Promise<unknown>;
  /** An answer that comes bit by bit. */
  open: Transport['open'];
  nowMs: Transport['nowMs'];
  close(): Promise<void>;
}

/** The name under which the API server keeps which fields the service has changed. */
export const fieldManager = 'parley';

const pageSize = 500;

const contentTypes: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

export const createKubernetesClient = (transport: Transport): KubernetesClient => {
  const answerTo = (call: HttpCall, tries = mostTries): Promise<HttpAnswer> => tryCall(transport, call, tries);
  const call = async (one: HttpCall, tries?: number): Promise<unknown> =>
    successOf(one, await answerTo(one, tries)).body;
  return {
    async get(resource, at) {
      const one = { method: 'GET', path: pathOf(resource, at) } as const;
      const answer = await answerTo(one);
      return isNoSuchObject(answer) ? undefined : resource.parse(successOf(one, answer).body);
    },
    list: (resource, options = {}) => listPages(answerTo, resource, options),
    async create(resource, object, { isDryRun } = {}) {
      const { apiVersion, kind } = resource;
      const path = withQuery(resource.pathIn(object.metadata?.namespace), dryRun(isDryRun));
      return resource.parse(await call({ method: 'POST', path, body: { apiVersion, kind, ...object } }));
    },
    async patch(resource, at, { patch, type, subresource, isDryRun }) {
      const path = withQuery(pathOf(resource, at, subresource), { ...dryRun(isDryRun), fieldManager });
      return resource.parse(await call({ method: 'PATCH', path, body: patch, contentType: contentTypes[type] }));
    },
    async delete(resource, at, { uid, ...others } = {}) {
      const options = { ...others, ...(uid !== undefined && { preconditions: { uid } }) };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
      const one = { method: 'DELETE', path: pathOf(resource, at), body } as const;
      const answer = await answerTo(one);
      if (isNoSuchObject(answer)) return false;
      successOf(one, answer);
      return true;
    },
    call,
    open: (one, options) => transport.open(one, options),
    nowMs: () => transport.nowMs(),
    close: () => transport.close(),
  };
};

export const pathOf = (resource: Resource<unknown>, { name, namespace }: ObjectName, subresource?: string): string =>
  [resource.pathIn(namespace), encodeURIComponent(name), ...(subresource === undefined ? [] : [subresource])].join('/');

export const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const text = new URLSearchParams(Object.fromEntries(given)).toString();
  return text === '' ? path : `${path}?${text}`;
};

const dryRun = (isDryRun = false): Readonly<Record<string, string>> => (isDryRun ? { dryRun: 'All' } : {});

const tryCall = async (transport: Transport, call: HttpCall, most: number): Promise<HttpAnswer> => {
  for (let tries = 1; ; tries += 1) {
    const outcome = await transport.exchange(call).catch(noAnswer);
    if (tries >= most || !mayTryAgain(call, outcome)) {
      if (outcome instanceof NoAnswer) throw outcome;
      return outcome;
    }
    await pause(pauseBeforeRetryMs(tries, outcome instanceof NoAnswer ? undefined : outcome, Date.now()));
  }
};

const noAnswer = (error: unknown): NoAnswer => {
  if (error instanceof NoAnswer) return error;
  throw error;
};

const mayTryAgain = ({ method }: HttpCall, outcome: HttpAnswer | NoAnswer): boolean => {
  if (outcome instanceof NoAnswer) return method === 'GET';
  return wasNotTaken(outcome) || (method === 'GET' && isPassing(outcome.status));
};

const successOf = (call: HttpCall, answer: HttpAnswer): HttpAnswer => {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw kubernetesError(`${call.method} ${call.path}`, answer);
};

/** An unknown group is answered 404 in plain text: that is no answer about an object. */
const isNoSuchObject = ({ status, body }: HttpAnswer): boolean =>
  status === 404 && typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status';

type CallApi = (call: HttpCall) => Promise<HttpAnswer>;

const listPages = async <T>(
  answerTo: CallApi,
  resource: Resource<T>,
  options: ListOptions,
): Promise<ListedResources<T>> => {
  const { namespace, ...selectors } = options;
  const items: T[] = [];
  let from: string | undefined;
  for (;;) {
    const query = { ...selectors, limit: String(pageSize), continue: from };
    const call = { method: 'GET', path: withQuery(resource.pathIn(namespace), query) } as const;
    const answer = await answerTo(call);
    if (answer.status === 410 && from !== undefined) {
      items.length = 0; // the pages are too old to go on with
      from = undefined;
      continue;
    }
    const page = readPage(resource, successOf(call, answer).body);
    items.push(...page.items);
    if (page.next === '') return { items, resourceVersion: page.resourceVersion };
    from = page.next;
  }
};

interface Page<T> {
  readonly items: T[];
  readonly next: string;
  readonly resourceVersion: string;
}

const readPage = <T>(resource: Resource<T>, body: unknown): Page<T> => {
  const { metadata, items } = body as { metadata: { resourceVersion: string; continue?: string }; items: unknown[] };
  return {
    items: items.map((each) => resource.parse(each)),
    next: metadata.continue ?? '',
    resourceVersion: metadata.resourceVersion,
  };
};

export type { HttpCall, OpenAnswer };
