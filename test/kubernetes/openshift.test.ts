/**
 * The pods of the chart before an admission policy that plays the range of numbers which OpenShift gives a namespace
 * (the security context constraint restricted-v2), on a real API server, beside the pod security standard restricted.
 */
import { eventually } from '../waiting/eventually';
import { podsOf, type PodSpec, render } from './rendered-chart';
import { testKubernetes } from './rig/addresses';
import { clientOf } from './rig/start-kubernetes';

const namespace = 'as-openshift';
const range = { from: 1_000_650_000, to: 1_000_659_999 };

let admin: ReturnType<typeof clientOf>;
beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await admin.call({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace, labels } } });
  await makePolicy();
});
afterAll(async () => {
  await admin.call({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  await admin.close();
});

/** Whoever names no number gets one of the range; here that one counts as named. */
const isInRange = (field: string): string => {
  const number = `object.spec.?securityContext.?${field}.orValue(${range.from})`;
  return `${number} >= ${range.from} && ${number} <= ${range.to}`;
};

const makePolicy = async (): Promise<void> => {
  const admission = '/apis/admissionregistration.k8s.io/v1';
  const metadata = { name: namespace };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
  const validations = ['runAsUser', 'fsGroup'].map((field) => ({
    expression: isInRange(field),
    message: `${field} must be in the range of the namespace`,
  }));
  const spec = { failurePolicy: 'Fail', matchConstraints: { resourceRules: rules }, validations };
  await admin.call({ method: 'POST', path: `${admission}/validatingadmissionpolicies`, body: { metadata, spec } });
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const bound = { policyName: namespace, validationActions: ['Deny'], matchResources: { namespaceSelector } };
  const bindings = `${admission}/validatingadmissionpolicybindings`;
  await admin.call({ method: 'POST', path: bindings, body: { metadata, spec: bound } });
};

/** @returns why the API server refuses the pod; undefined: it takes the pod */
const refusalOf = ({ name, pod }: { readonly name: string; readonly pod: PodSpec }): Promise<string | undefined> => {
  const body = { metadata: { name }, spec: { ...pod, serviceAccountName: 'default', volumes: volumesOf(pod) } };
  const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
  return admin.call({ method: 'POST', path, body }).then(() => undefined, String);
};

/** A StatefulSet adds the volumes of its claims. */
const volumesOf = ({ volumes, containers }: PodSpec) => {
  const names = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map((mount) => mount.name));
  const missing = names.filter((each) => !volumes.some((volume) => volume.name === each));
  return [...volumes, ...missing.map((each) => ({ name: each, emptyDir: {} }))];
};

const numbers = ['runAsUser', 'runAsGroup', 'fsGroup'];
const without = ['podSecurityContext', 'trial.postgresPodSecurityContext'].flatMap((context) =>
  numbers.map((field) => `${context}.${field}=null`),
);

it('refuses the pods of the chart with its own numbers, and takes them without', async () => {
  const usual = podsOf(await render('trial.enabled=true'));
  expect(usual).toHaveLength(4);
  await eventually(
    { what: 'the policy is in force' },
    async () => (await refusalOf(usual[0]!))?.includes('in the range') || undefined,
  );
  for (const each of usual) expect(await refusalOf(each)).toContain('runAsUser must be in the range of the namespace');
  const fitting = podsOf(await render('trial.enabled=true', ...without));
  expect(await Promise.all(fitting.map(refusalOf))).toEqual([undefined, undefined, undefined, undefined]);
});
