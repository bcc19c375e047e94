import { groupsFrom } from '../../../../clouds/kubernetes/instances/list-groups';
import { instancesFrom } from '../../../../clouds/kubernetes/instances/list-instances';
import { annotationNames } from '../../../../clouds/kubernetes/limits/annotations';
import { createStandingTeller } from '../../../../clouds/kubernetes/limits/pods-away';
import { termsAnnotation } from '../../../../clouds/kubernetes/limits/terms-annotation';
import { type Pod, runLabel } from '../../../../clouds/kubernetes/objects/pods';
import { leavingOf } from '../../../../rules/cloud/departure';
import { aCluster, anOwner, aPod } from '../../../builders/a-kubernetes-object';

const ofJob = (namespace: string, labels = { [runLabel]: 'key' }): Pod =>
  aPod({ metadata: { name: 'work', namespace, labels, ...anOwner('Job') } });

const surgeFor = () => ({ kind: 'notAsked' }) as const;
const eviction = { unmanagedPods: 'delete', localData: 'delete', forced: 'keep' } as const;

it.each([
  { pod: "a pod of the service's own Jobs", given: ofJob('node-work'), jobNamespace: 'node-work', count: 0 },
  { pod: 'a pod that takes the label elsewhere', given: ofJob('web'), jobNamespace: 'node-work', count: 1 },
  { pod: 'a pod with the label where there are no Jobs', given: ofJob('web'), jobNamespace: '', count: 1 },
  { pod: 'another pod of their namespace', given: aPod({ metadata: { name: 'a', namespace: 'node-work' } }), count: 1 },
  { pod: 'a pod of a DaemonSet', given: aPod({ metadata: { name: 'a', ...anOwner('DaemonSet') } }), count: 0 },
  { pod: 'a pod that has ended', given: aPod({ status: { phase: 'Succeeded' } }), count: 0 },
  { pod: 'a pod without a node', given: { ...aPod(), spec: { containers: [] } }, count: 0 },
])('$pod is $count instances', ({ given, jobNamespace = 'node-work', count }) => {
  const cluster = aCluster({ pods: [given], ...(jobNamespace !== '' && { jobNamespace }) });
  expect(instancesFrom({ cluster, eviction, completeSeconds: 60, surgeFor }, cluster.pods.all())).toHaveLength(count);
});

it.each([
  { pod: 'of a Job', given: aPod({ metadata: { name: 'a', ...anOwner('Job') } }), seconds: 0 },
  {
    pod: 'that is to come to its end',
    given: aPod({ metadata: { name: 'a', annotations: { [annotationNames.onDrain]: 'complete' } } }),
    seconds: 60,
  },
  { pod: 'that runs on', given: aPod({ metadata: { name: 'a', ...anOwner('ReplicaSet') } }), seconds: undefined },
])('a pod $pod is waited for for $seconds s where no session says it', ({ given, seconds }) => {
  const cluster = aCluster({ pods: [given] });
  const [instance] = instancesFrom({ cluster, eviction, completeSeconds: 60, surgeFor }, cluster.pods.all());
  expect(leavingOf(instance!).endsByItself?.waitSeconds).toBe(seconds);
});

it.each([
  { pod: 'that nothing makes again', given: aPod(), place: { kind: 'nowhere' } },
  {
    pod: 'of a ReplicaSet',
    given: aPod({ metadata: { name: 'a', ...anOwner('ReplicaSet') } }),
    place: { kind: 'elsewhere', ifNone: 'delete' },
  },
])('a pod $pod serves again $place.kind, and what no other node could take is to $place.ifNone', ({ given, place }) => {
  const cluster = aCluster({ pods: [given] });
  const [instance] = instancesFrom({ cluster, eviction, completeSeconds: 60, surgeFor }, cluster.pods.all());
  expect(leavingOf(instance!).place).toEqual(place);
});

it("the service's own Jobs are no groups", () => {
  const cluster = aCluster({ pods: [ofJob('node-work')], jobNamespace: 'node-work' });
  expect(groupsFrom({ cluster, standings: createStandingTeller(300) })).toEqual([]);
});

it.each([
  { owner: 'StatefulSet', keepsName: true },
  { owner: 'ReplicaSet', keepsName: undefined },
])('a pod of a $owner is made again under its name: $keepsName', ({ owner, keepsName }) => {
  const cluster = aCluster({ pods: [aPod({ metadata: { name: 'a', ...anOwner(owner) } })] });
  const [instance] = instancesFrom({ cluster, eviction, completeSeconds: 60, surgeFor }, cluster.pods.all());
  expect(instance?.keepsName).toBe(keepsName);
});

describe('the terms of a pod', () => {
  const terms = { notice_seconds: 60 };
  const annotatedWith = (text: string, annotations = {}) =>
    aPod({
      metadata: {
        ...{ name: 'a', uid: 'uid-of-a', namespace: 'web', ...anOwner('StatefulSet') },
        annotations: { [termsAnnotation]: text, ...annotations },
      },
    });
  const lookAt = (pod: Pod) => {
    const cluster = aCluster({ pods: [pod] });
    const [instance] = instancesFrom({ cluster, eviction, completeSeconds: 60, surgeFor }, cluster.pods.all());
    const [group] = groupsFrom({ cluster, standings: createStandingTeller(300) });
    return { instance, group };
  };

  it('are told with it', () => {
    const { instance, group } = lookAt(annotatedWith(JSON.stringify(terms)));
    expect(instance).toMatchObject({ terms: { ofInstance: terms } });
    expect(instance).not.toHaveProperty('wantsQuestions');
    expect(group).not.toHaveProperty('fault');
  });

  it.each([
    { says: 'nothing else', annotations: {}, means: { wantsQuestions: true } },
    { says: 'that nobody asks', annotations: { [annotationNames.ask]: 'false' }, means: { leadTimeSeconds: 0 } },
  ])('that cannot be read are told with its group: it says $says', ({ annotations, means }) => {
    const { instance, group } = lookAt(annotatedWith('weekends', annotations));
    expect(instance).toMatchObject({ terms: { ofInstance: { ask: 'always' } }, ...means });
    expect(group?.fault).toMatch(/: annotation parley.maintenance\/terms is 'weekends', not JSON$/);
  });
});
