import { CloudRefusal } from '../../../../clouds/cloud-driver';
import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import { cordon, cordonAnnotation, cordonReason, uncordon } from '../../../../clouds/kubernetes/hosts/cordon';
import type { Node } from '../../../../clouds/kubernetes/objects/nodes';
import { aNode } from '../../../builders/a-kubernetes-object';

const ours = aNode({
  metadata: { name: 'node-1', resourceVersion: '7', annotations: { [cordonAnnotation]: 'session 7' } },
  spec: { unschedulable: true },
});
const theirs = aNode({ metadata: { name: 'node-1', resourceVersion: '7' }, spec: { unschedulable: true } });
/** A set of the field that others wrote last: they have undone ours, and cordoned it themselves. */
const setBy = (...managers: readonly string[]) => ({
  managedFields: managers.map((manager) => ({ manager, fieldsV1: { 'f:spec': { 'f:unschedulable': {} } } })),
});
const theirsAfterOurs = aNode({ ...ours, metadata: { ...ours.metadata, ...setBy('kubectl-cordon') } });
const oursBeforeTheirs = aNode({ ...ours, metadata: { ...ours.metadata, ...setBy('kubectl-cordon', 'parley') } });
const open = aNode({ metadata: { name: 'node-1', resourceVersion: '7' } });

/** A client that has one node, keeps the patches, and refuses the first of them. */
const clientWith = (node: Node | undefined, ...refusals: number[]) => {
  const patches: unknown[] = [];
  const client = {
    get: () => Promise.resolve(node),
    patch: (_resource: unknown, _at: unknown, { patch }: { patch: unknown }) => {
      const status = refusals.shift();
      if (status !== undefined) {
        return Promise.reject(new KubernetesError('words', status, { said: 'not now', causes: [] }));
      }
      patches.push(patch);
      return Promise.resolve(node);
    },
  } as unknown as KubernetesClient;
  return { client, patches };
};

const cordonPatch = {
  metadata: { resourceVersion: '7', annotations: { [cordonAnnotation]: 'why' } },
  spec: { unschedulable: true },
};
const uncordonPatch = {
  metadata: { resourceVersion: '7', annotations: { [cordonAnnotation]: null } },
  spec: { unschedulable: null },
};

it.each([
  ['an open node is cordoned, with the reason and its version', open, [cordonPatch]],
  ['our own cordon stays as it is', ours, []],
  ["somebody else's cordon stays as it is", theirs, []],
])('disabling: %s', async (_situation, node, expected) => {
  const { client, patches } = clientWith(node);
  await cordon(client, 'node-1', 'why');
  expect(patches).toEqual(expected);
});

it.each([
  ['our own cordon is taken away with its reason', ours, [uncordonPatch]],
  ['our own cordon that others have set as well is taken away', oursBeforeTheirs, [uncordonPatch]],
  ["somebody else's cordon stays", theirs, []],
  ["somebody else's cordon stays that came after ours was undone", theirsAfterOurs, []],
  ['an open node stays open', open, []],
])('enabling: %s', async (_situation, node, expected) => {
  const { client, patches } = clientWith(node);
  await uncordon(client, 'node-1');
  expect(patches).toEqual(expected);
});

it('reads again and decides again when somebody else wrote in between', async () => {
  const { client, patches } = clientWith(open, 409, 409);
  await cordon(client, 'node-1', 'why');
  expect(patches).toEqual([cordonPatch]);
});

it.each([
  { situation: 'there is no such node', node: undefined, refusals: [], words: 'Host node-1 could not be found' },
  { situation: 'the cluster refuses it', node: open, refusals: [403], words: 'refused to change node node-1: not now' },
])('is refused where $situation', async ({ node, refusals, words }) => {
  const refused = cordon(clientWith(node, ...refusals).client, 'node-1', 'why');
  await expect(refused).rejects.toThrow(CloudRefusal);
  await expect(refused).rejects.toThrow(words);
});

it('passes a fault of the server on, since it may pass', async () => {
  await expect(cordon(clientWith(open, 500).client, 'node-1', 'why')).rejects.toThrow(KubernetesError);
});

it('tells whose cordon it is', () => {
  const byOther = 'cordoned by somebody else';
  expect([ours, theirs, theirsAfterOurs].map(cordonReason)).toEqual(['session 7', byOther, byOther]);
});
