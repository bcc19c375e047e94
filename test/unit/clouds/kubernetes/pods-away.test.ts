import { createAwayCounter } from '../../../../clouds/kubernetes/limits/pods-away';
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

const count = (pods: readonly Pod[], fields: { replicas?: number; recoverySeconds?: number } = {}) =>
  createAwayCounter(300).count({ uid: 'uid', pods, replicas: undefined, recoverySeconds: 0, ...fields }, noon);

it.each([
  { who: 'none where all serve', pods: [serving, serving], away: 0 },
  { who: 'one that starts', pods: [serving, starting], away: 1 },
  { who: 'none that has been broken for longer than the setting', pods: [serving, broken], away: 0 },
  { who: 'none that takes the place of one that still ends', pods: [serving, leaving, starting], away: 0 },
  { who: 'one that is not there yet', pods: [serving], fields: { replicas: 2 }, away: 1 },
  { who: 'one that serves, and recovers', pods: [aPodAged('True', 10)], fields: { recoverySeconds: 30 }, away: 1 },
  { who: 'none that has recovered', pods: [aPodAged('True', 40)], fields: { recoverySeconds: 30 }, away: 0 },
])('of a workload $who counts as away', ({ pods, fields, away }) => {
  expect(count(pods, fields)).toBe(away);
});

it('a pod that is not made again counts for the time of the setting at most', () => {
  const counter = createAwayCounter(300);
  const fewer = { uid: 'uid', pods: [serving], replicas: 2, recoverySeconds: 0 };
  expect([0, 299, 301].map((seconds) => counter.count(fewer, noon + seconds * 1000))).toEqual([1, 1, 0]);
  expect(counter.count({ ...fewer, replicas: 1 }, noon)).toBe(0);
  expect(counter.count(fewer, noon + 400_000)).toBe(1);
});
