import { createReturnTeller } from '../../../../clouds/kubernetes/limits/pods-away';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { aPod } from '../../../builders/a-kubernetes-object';

const noon = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(noon - seconds * 1000).toISOString();

/** A pod that was made and became Ready, or not, so many seconds ago. */
const aPodAged = (status: 'True' | 'False', seconds: number, leaving = false): Pod =>
  aPod({
    metadata: { creationTimestamp: ago(seconds), ...(leaving && { deletionTimestamp: ago(0) }) },
    status: { conditions: [{ type: 'Ready', status, lastTransitionTime: ago(seconds) }] },
  });
const [serving, starting, broken] = [aPodAged('True', 1000), aPodAged('False', 10), aPodAged('False', 1000)];
const leaving = aPodAged('True', 1000, true);

const backAt = (pods: readonly Pod[], replicas?: number) =>
  createReturnTeller(300)
    .backAt([{ uid: 'uid', pods, replicas }], noon)
    .get('uid')
    ?.map((at) => (at - noon) / 1000);

it.each([
  { who: 'one that serves', pods: [serving], times: [-1000] },
  { who: 'one that starts', pods: [serving, starting], times: [290, -1000] },
  { who: 'one that is broken, after the time of the setting', pods: [broken], times: [-700] },
  { who: 'one that is not there yet', pods: [serving], replicas: 2, times: [300, -1000] },
  { who: 'none that takes the place of one that still ends', pods: [serving, leaving, starting], times: [-1000] },
])('$who counts as back at $times seconds from now', ({ pods, replicas, times }) => {
  expect(backAt(pods, replicas)).toEqual(times);
});

it('a pod that is not made again is waited for since it was first missing, and forgotten with its workload', () => {
  const teller = createReturnTeller(300);
  const fewer = { uid: 'uid', pods: [serving], replicas: 2 };
  const latest = (seconds: number, workloads = [fewer]) => {
    const [at = 0] = teller.backAt(workloads, noon + seconds * 1000).get('uid') ?? [];
    return (at - noon) / 1000;
  };
  expect([latest(0), latest(299), latest(301)]).toEqual([300, 300, 300]);
  latest(302, []);
  expect(latest(400)).toBe(700);
  latest(401, [{ ...fewer, replicas: 1 }]);
  expect(latest(500)).toBe(800);
});
