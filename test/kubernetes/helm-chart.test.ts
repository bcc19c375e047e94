/** The Helm chart, rendered by Helm. test/unit/deploy/helm-chart.test.ts holds its files against the code. */
import { loadSettings } from '../../config/settings';
import { provideHelm } from './helm-program';
import { chart, type Manifest, podsOf, render } from './rendered-chart';

const named = (manifests: readonly Manifest[], kind: string): string[] =>
  manifests.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);

const trial = 'trial.enabled=true';
const byAddress = ['database.secretName=db', 'temporal.address=temporal.example.org:7233'];
const cases = [
  { what: 'a trial', values: [trial] },
  { what: 'an installation by addresses', values: byAddress },
  {
    what: 'the cluster of the release',
    values: [...byAddress, 'cloud=kubernetes', 'rights.deletePods=true', 'rights.surge=true'],
  },
  { what: 'tokens of a file', values: [...byAddress, 'auth=token', 'tokens.secretName=tokens'] },
  {
    what: 'everything',
    values: [trial, 'jobs.enabled=true', 'jobs.namespace=node-work', 'certificates.secretName=tls'],
  },
];

describe.each(cases)('$what', ({ values }) => {
  it('starts the service with settings that it takes', async () => {
    const settings = (await render(...values)).find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const loaded = loadSettings({ ...settings, DATABASE_URL: 'postgresql://db/parley' });
    expect(loaded).toMatchObject({ host: '::', port: 12_347, baseUrl: 'http://parley.maint.svc:12347' });
  });

  it('has pods without rights and variables that they do not need', async () => {
    const pods = podsOf(await render(...values));
    expect(pods.length).toBeGreaterThanOrEqual(2);
    for (const { pod } of pods) {
      expect(pod).toMatchObject({ enableServiceLinks: false, securityContext: { runAsNonRoot: true } });
      for (const { securityContext } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('lets one pod of each kind be missing', async () => {
    expect(named(await render(...values), 'PodDisruptionBudget')).toEqual(['parley-api', 'parley-worker']);
  });
});

describe('the rights of a release', () => {
  it('are those of the values, and of the namespace of Jobs', async () => {
    const manifests = await render(trial, 'jobs.enabled=true', 'jobs.namespace=node-work');
    expect(named(manifests, 'ClusterRole').toSorted()).toEqual([
      'maint:parley-admin',
      'maint:parley-identity',
      'maint:parley-jobnodes',
      'maint:parley-manager',
    ]);
    expect(manifests.find(({ kind }) => kind === 'Role')?.metadata).toMatchObject({ namespace: 'node-work' });
  });

  it.each([
    { values: [], role: [], forced: 'keep' },
    { values: ['rights.deletePods=true'], role: ['maint:parley-deletepods'], forced: 'delete' },
  ])('are those to empty nodes where the cluster is maintained: $forced', async ({ values, role, forced }) => {
    const manifests = await render(...byAddress, 'cloud=kubernetes', ...values);
    expect(named(manifests, 'ClusterRole').toSorted()).toEqual([
      'maint:parley-admin',
      ...role,
      ...['maint:parley-driver', 'maint:parley-identity', 'maint:parley-manager'],
    ]);
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const loaded = loadSettings({ ...settings, DATABASE_URL: 'postgresql://db/parley' });
    expect(loaded).toMatchObject({ cloud: 'kubernetes', kubernetesForced: forced });
    const pods = podsOf(manifests).filter(({ pod }) => pod.automountServiceAccountToken);
    expect(pods.map(({ name }) => name)).toEqual(['parley-api', 'parley-worker']);
  });

  it('are none where the operator binds roles', async () => {
    const manifests = await render(trial, 'jobs.enabled=true', 'rights.create=false');
    expect([...named(manifests, 'ClusterRole'), ...named(manifests, 'Role')]).toEqual([]);
  });

  it('come with a token only for pods that use it', async () => {
    const pods = podsOf(await render(trial));
    const withToken = pods.filter(({ pod }) => pod.automountServiceAccountToken).map(({ name }) => name);
    expect(withToken).toEqual(['parley-api']);
  });
});

it('the security contexts of pods are values, and null takes a field out', async () => {
  const none = ['runAsUser', 'runAsGroup', 'fsGroup'].map((field) => `podSecurityContext.${field}=null`);
  const pods = podsOf(await render(...byAddress, ...none, 'containerSecurityContext.seLinuxOptions.level=s0'));
  for (const { pod } of pods) {
    expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.containers[0]?.securityContext).toMatchObject({
      seLinuxOptions: { level: 's0' },
      capabilities: { drop: ['ALL'] },
    });
  }
});

it.each([
  { what: 'a value that nothing knows', values: [trial, 'replicas=3'], says: /additional properties 'replicas'/ },
  { what: 'no database', values: ['temporal.address=t:7233'], says: /database\.secretName is empty/ },
  { what: 'no Temporal', values: ['database.secretName=db'], says: /temporal\.address is empty/ },
  { what: 'no tokens', values: [...byAddress, 'auth=token'], says: /tokens\.secretName is empty/ },
])('the chart refuses $what', async ({ values, says }) => {
  await expect(render(...values)).rejects.toThrow(says);
});

it('Helm finds no fault in the chart', async () => {
  const helm = await provideHelm();
  expect(await helm('lint', chart, '--strict', '--set', trial)).toContain('0 chart(s) failed');
});
