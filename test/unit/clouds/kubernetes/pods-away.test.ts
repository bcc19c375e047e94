import { createStandingTeller } from '../../../../clouds/kubernetes/limits/pods-away';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { aPod } from '../../../builders/a-kubernetes-object';

const noon = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(noon - seconds * 1000).toISOString();

/** A pod that was made and became Ready, or not, so many seconds ago. */
const aPodAged = (status: 'True' | 'False', seconds: number, given: Pick<Pod, 'status'> & { isLeaving?: true } = {}) =>
  aPod({
    metadata: { name: 'web-1', creationTimestamp: ago(seconds), ...(given.isLeaving && { deletionTimestamp: ago(0) }) },
    status: { ...given.status, conditions: [{ type: 'Ready', status, lastTransitionTime: ago(seconds) }] },
  });
const [serving, starting, broken] = [aPodAged('True', 1000), aPodAged('False', 10), aPodAged('False', 1000)];
const leaving = aPodAged('True', 1000, { isLeaving: true });
const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "web:none"' };
const withoutImage = aPodAged('False', 1000, { status: { containerStatuses: [{ state: { waiting } }] } });

const serves = { kind: 'serves', sinceMs: noon - 1_000_000 };
const away = (seconds: number, overdue?: string) => ({
  ...{ kind: 'away', sinceMs: noon - seconds * 1000 },
  ...(overdue !== undefined && { overdue }),
});
const sinceThen = 'pod web/web-1 is not Ready since 2026-01-01T11:43:20.000Z';

it.each([
  { who: 'a pod that is Ready serves', pods: [serving], members: [serves] },
  { who: 'a pod that starts is away', pods: [serving, starting], members: [serves, away(10)] },
  { who: 'a broken pod is away, and is named', pods: [broken], members: [away(1000, sinceThen)] },
  {
    who: 'the words of the kubelet say why',
    pods: [withoutImage],
    members: [away(1000, `${sinceThen} (ImagePullBackOff: Back-off pulling image "web:none")`)],
  },
  { who: 'a pod that is not there yet is away', pods: [serving], replicas: 2, members: [serves, away(0)] },
  { who: 'a pod that ends is none', pods: [serving, leaving, starting], members: [serves, away(10)] },
])('$who', ({ pods, replicas, members }) => {
  const workload = { uid: 'uid', name: 'Deployment web', pods, replicas };
  expect(createStandingTeller(300).membersOf([workload], noon).get('uid')).toEqual(members);
});

it('a pod that is not made again is away since it was first missing, and forgotten with its workload', () => {
  const teller = createStandingTeller(300);
  const fewer = { uid: 'uid', name: 'Deployment web', pods: [serving], replicas: 2 };
  const lookAt = (seconds: number, workloads = [fewer]) =>
    teller.membersOf(workloads, noon + seconds * 1000).get('uid')?.[1];
  expect([lookAt(0), lookAt(299)]).toEqual([away(0), away(0)]);
  expect(lookAt(300)).toEqual(away(0, 'Deployment web has fewer pods than it should since 2026-01-01T12:00:00.000Z'));
  lookAt(302, []);
  expect(lookAt(400)).toEqual(away(-400));
  lookAt(401, [{ ...fewer, replicas: 1 }]);
  expect(lookAt(500)).toEqual(away(-500));
});
