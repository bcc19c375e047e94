import { KubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import { type EvictionRefused, whatRefusalMeans } from '../../../../clouds/kubernetes/moves/refusals';

const refused = (status: number, details: Partial<KubernetesError['details']>): EvictionRefused =>
  whatRefusalMeans(new KubernetesError('words', status, { said: 'no', causes: [], ...details }));

const byBudget = (message: string) => [{ reason: 'DisruptionBudget', message }];

it.each<[string, EvictionRefused, EvictionRefused]>([
  [
    'names the budget, and tries again soon',
    refused(429, { causes: byBudget('The disruption budget app-0 needs 8 healthy pods and has 8 currently') }),
    {
      kind: 'later',
      because: 'The disruption budget app-0 needs 8 healthy pods and has 8 currently',
      againInSeconds: 2,
    },
  ],
  [
    'waits as long as a changed budget asks for',
    refused(429, { causes: byBudget('it is still being processed by the server.'), retryAfterSeconds: 10 }),
    { kind: 'later', because: 'it is still being processed by the server', againInSeconds: 10 },
  ],
  [
    'gives up where two budgets select the pod, and says what would help',
    refused(500, {
      said: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    }),
    {
      kind: 'never',
      because:
        'more than one PodDisruptionBudget selects the pod: the eviction API serves no such pod; leave one budget that selects it',
    },
  ],
  [
    'knows that the evacuation of a virtual machine has begun',
    refused(429, {
      said: 'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: Eviction triggered evacuation of VMI "default/vm-1"',
    }),
    {
      kind: 'later',
      because:
        'webhook virt-launcher-eviction-interceptor.kubevirt.io moves its virtual machine: Eviction triggered evacuation of VMI "default/vm-1"',
      againInSeconds: 10,
    },
  ],
  [
    'names another webhook that denies it',
    refused(403, { said: 'admission webhook "drain.cleaner.example.org" denied the request: The pod will be rolled' }),
    {
      kind: 'later',
      because: 'webhook drain.cleaner.example.org denies it: The pod will be rolled',
      againInSeconds: 10,
    },
  ],
  [
    'waits for the end of a namespace, whose pods go with it',
    refused(403, {
      said: 'pods "web-1" is forbidden: unable to create new content in namespace web because it is being terminated',
      causes: [{ reason: 'NamespaceTerminating', message: 'namespace web is being terminated' }],
    }),
    { kind: 'later', because: 'namespace web is being terminated, which ends the pod', againInSeconds: 2 },
  ],
  [
    'names a webhook that gives no reason',
    refused(400, { said: 'admission webhook "w.example.org" denied the request without explanation' }),
    { kind: 'later', because: 'webhook w.example.org denies it: no reason given', againInSeconds: 10 },
  ],
  [
    'names a policy that denies it',
    refused(422, {
      said: "pods \"a\" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'all' denied request: not today",
    }),
    { kind: 'later', because: 'policy keep denies it: not today', againInSeconds: 10 },
  ],
  [
    'obeys priority and fairness',
    refused(429, { said: 'too many requests, please try again later.', retryAfterSeconds: 7 }),
    {
      kind: 'later',
      because: 'the API server takes no more requests for now: too many requests, please try again later',
      againInSeconds: 7,
    },
  ],
  [
    'gives up where a right is missing',
    refused(403, { said: 'pods "a" is forbidden: User "parley" cannot create resource "pods/eviction"' }),
    {
      kind: 'never',
      because:
        'the login of the service lacks a right: pods "a" is forbidden: User "parley" cannot create resource "pods/eviction"',
    },
  ],
  [
    'has another look where there may be no such pod',
    refused(404, { said: 'pods "a" not found', reason: 'NotFound' }),
    { kind: 'later', because: 'pods "a" not found', againInSeconds: 2 },
  ],
  [
    'has another look where a proxy knows no such path',
    refused(404, { said: '404 page not found' }),
    { kind: 'later', because: '404 page not found', againInSeconds: 2 },
  ],
  [
    'has another look where the pod or its budget has changed meanwhile',
    refused(409, { said: 'the object has been modified; please try again', reason: 'Conflict' }),
    { kind: 'later', because: 'the object has been modified; please try again', againInSeconds: 2 },
  ],
  [
    'names a webhook that denies it as a conflict',
    refused(409, { said: 'admission webhook "w.example.org" denied the request: busy', reason: 'Conflict' }),
    { kind: 'later', because: 'webhook w.example.org denies it: busy', againInSeconds: 10 },
  ],
  [
    'tries again after a fault of the server',
    refused(503, { said: 'etcd is away' }),
    { kind: 'later', because: 'etcd is away', againInSeconds: 2 },
  ],
  ['gives up for a request that is wrong', refused(422, { said: 'bad' }), { kind: 'never', because: 'bad' }],
])('an eviction that is refused %s', (_what, means, expected) => expect(means).toEqual(expected));
