/**
 * Tells apart why the API server refuses an eviction: a budget, an admission webhook or policy, a namespace that is
 * being deleted, its own limits on requests, or a fault that no further try mends. It decides and asks nothing.
 */
import type { KubernetesError } from '../client/kubernetes-error';

export type EvictionRefused =
  | RefusedForNow
  /** No further try helps. */
  | { readonly kind: 'never'; readonly because: string };

/** It is worth trying again after a time. */
export interface RefusedForNow {
  readonly kind: 'later';
  /** Follows "not accepted yet:". */
  readonly because: string;
  /** The time since when the reason is there, where somebody tells it. */
  readonly since?: Date;
  readonly againInSeconds: number;
}

/** A budget frees what it allows within moments; an app that starts slowly is asked about once in a while. */
const budgetSeconds = 2;
/** The next look, before the next try, finds by the UID whether the pod is gone. */
const lookAgainSeconds = 2;
/** A webhook moves the pod itself, or has its operator do so. */
const webhookSeconds = 10;

export const whatRefusalMeans = (error: KubernetesError): EvictionRefused =>
  byWebhook(error) ?? byBudget(error) ?? byEndOfNamespace(error) ?? byServer(error);

const byBudget = ({ status, details }: KubernetesError): EvictionRefused | undefined => {
  const { said, causes, retryAfterSeconds } = details;
  const cause = causes.find(({ reason }) => reason === 'DisruptionBudget');
  if (status === 429 && cause !== undefined) {
    const because = asReason(cause.message ?? said);
    return { kind: 'later', because, againInSeconds: retryAfterSeconds ?? budgetSeconds };
  }
  if (!said.includes('more than one PodDisruptionBudget')) return undefined;
  const help = 'the eviction API serves no such pod; leave one budget that selects it';
  return { kind: 'never', because: `more than one PodDisruptionBudget selects the pod: ${help}` };
};

const webhookWords = /^admission webhook "([^"]+)" denied the request(?: without explanation|: ([^]*))?$/;
const policyWords = /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: ([^]*)$/;
/** The words of KubeVirt, whose webhook refuses the eviction of a VM's pod, and moves the VM. */
const evacuationWords = /^Eviction triggered evacuation/;

const byWebhook = ({ details: { said, retryAfterSeconds } }: KubernetesError): EvictionRefused | undefined => {
  const [, webhook, why = 'no reason given'] = webhookWords.exec(said) ?? [];
  const [, policy, policySays = ''] = policyWords.exec(said) ?? [];
  const againInSeconds = retryAfterSeconds ?? webhookSeconds;
  if (webhook !== undefined && evacuationWords.test(why)) {
    return { kind: 'later', because: `webhook ${webhook} moves its virtual machine: ${asReason(why)}`, againInSeconds };
  }
  if (webhook !== undefined) {
    return { kind: 'later', because: `webhook ${webhook} denies it: ${asReason(why)}`, againInSeconds };
  }
  if (policy === undefined) return undefined;
  return { kind: 'later', because: `policy ${policy} denies it: ${asReason(policySays)}`, againInSeconds };
};

/** The namespace controller marks the pods some seconds later, and until then nothing is created there. */
const byEndOfNamespace = ({ details: { causes } }: KubernetesError): EvictionRefused | undefined => {
  const cause = causes.find(({ reason }) => reason === 'NamespaceTerminating');
  if (cause === undefined) return undefined;
  const because = `${asReason(cause.message ?? 'its namespace is being terminated')}, which ends the pod`;
  return { kind: 'later', because, againInSeconds: lookAgainSeconds };
};

const byServer = ({ status, details: { said, retryAfterSeconds } }: KubernetesError): EvictionRefused => {
  if (status === 404 || status === 409) {
    return { kind: 'later', because: asReason(said), againInSeconds: lookAgainSeconds };
  }
  if (status === 403) return { kind: 'never', because: `the login of the service lacks a right: ${asReason(said)}` };
  if (status === 429) {
    const because = `the API server takes no more requests for now: ${asReason(said)}`;
    return { kind: 'later', because, againInSeconds: retryAfterSeconds ?? budgetSeconds };
  }
  if (status >= 500)
    return { kind: 'later', because: asReason(said), againInSeconds: retryAfterSeconds ?? budgetSeconds };
  return { kind: 'never', because: asReason(said) };
};

/** Without the full stop of the API server, since other words follow. */
const asReason = (words: string): string => words.trim().replace(/\.$/, '');
