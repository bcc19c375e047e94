import { nodes } from '../../../../../clouds/kubernetes/objects/nodes';
import { pods } from '../../../../../clouds/kubernetes/objects/pods';

const metadata = { name: 'pod-1', generateName: 'pod-', annotations: { mine: 'yes' } };
const conditions = [{ type: 'Ready', status: 'True', lastProbeTime: null }];
const spec = {
  containers: [{ name: 'main', image: 'app', resources: { limits: { cpu: '1' }, requests: { cpu: '100m' } } }],
  nodeSelector: { disk: 'ssd' },
  dnsPolicy: 'ClusterFirst',
};

it('of an object only those fields are kept that are read, in lists and maps as well', () => {
  expect(pods.parse({ metadata, spec, status: { phase: 'Running', podIP: '10.0.0.1', conditions } })).toEqual({
    metadata: { name: 'pod-1', annotations: { mine: 'yes' } },
    spec: { containers: [{ resources: { requests: { cpu: '100m' } } }], nodeSelector: { disk: 'ssd' } },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
});

it('what one kind alone reads of its metadata is kept', () => {
  const managedFields = [{ manager: 'kubectl', time: 'now', fieldsV1: { 'f:spec': { 'f:unschedulable': {} } } }];
  const node = { metadata: { name: 'node-1', managedFields }, spec: {} };
  expect(nodes.parse(node).metadata.managedFields).toEqual([
    { manager: 'kubectl', fieldsV1: { 'f:spec': { 'f:unschedulable': {} } } },
  ]);
});

it('the copy that kubectl keeps of the whole object is left behind', () => {
  const annotations = { mine: 'yes', 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
  expect(pods.parse({ metadata: { ...metadata, annotations }, spec }).metadata.annotations).toEqual({ mine: 'yes' });
});

it.each([
  { kind: 'pods', resource: pods, its: spec },
  { kind: 'nodes', resource: nodes, its: {} },
])('a time that nobody has set, which Kubernetes gives as null, is no fault of $kind', ({ resource, its }) => {
  const unset = [{ type: 'Custom', status: 'True', lastTransitionTime: null }];
  expect(resource.parse({ metadata, spec: its, status: { conditions: unset } })).toMatchObject({
    status: { conditions: unset },
  });
});
