/** Pods of Jobs that fail for good with one eviction. */
import { endsForGood } from '../../../../clouds/kubernetes/instances/ends-for-good';
import type { Job } from '../../../../clouds/kubernetes/objects/others';
import { aCluster, anOwner, aPod } from '../../../builders/a-kubernetes-object';

interface Given {
  readonly spec: Job['spec'];
  readonly failed?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

const whyOf = ({ spec, failed = 0, annotations = {} }: Given): string | undefined => {
  const job: Job = { metadata: { name: 'build', namespace: 'web', uid: 'uid-of-build' }, spec, status: { failed } };
  const pod = aPod({ metadata: { name: 'build-x', annotations, ...anOwner('Job', 'build') } });
  return endsForGood(aCluster({ pods: [pod], jobs: [job] }), pod).endsForGood;
};

const onDisruption = (action: string): Job['spec'] => ({
  backoffLimit: 0,
  podFailurePolicy: { rules: [{ action, onPodConditions: [{ type: 'DisruptionTarget' }] }] },
});
const onExit = (operator: string, values: readonly number[]): Job['spec'] => ({
  backoffLimit: 6,
  podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator, values: [...values] } }] },
});
const failedOnce = { 'batch.kubernetes.io/job-index-failure-count': '1' };

it.each<Given & { job: string; says: RegExp }>([
  {
    job: 'allows no failure',
    spec: { backoffLimit: 0 },
    says: /Job build allows no further failure \(backoffLimit: 0\)/,
  },
  { job: 'has used up its failures', spec: { backoffLimit: 2 }, failed: 2, says: /backoffLimit: 2/ },
  { job: 'fails with a disrupted pod', spec: onDisruption('FailJob'), says: /FailJob/ },
  { job: 'fails an index with a disrupted pod', spec: onDisruption('FailIndex'), says: /FailIndex/ },
  { job: 'fails with the exit code of a killed process', spec: onExit('In', [137]), says: /FailJob/ },
  { job: 'fails with any exit code but 0', spec: onExit('NotIn', [0]), says: /FailJob/ },
  {
    job: 'has used up the failures of the index',
    spec: { backoffLimitPerIndex: 1 },
    annotations: failedOnce,
    says: /of its index \(backoffLimitPerIndex: 1\)/,
  },
])('the eviction of a pod is its end where its Job $job', ({ says, ...given }) => {
  expect(whyOf(given)).toMatch(says);
});

it.each<Given & { job: string }>([
  { job: 'allows another failure', spec: { backoffLimit: 6 }, failed: 5 },
  { job: 'does not count disrupted pods', spec: onDisruption('Ignore') },
  {
    job: 'has a rule for other exit codes, from an API server that gives null for an empty list',
    spec: {
      podFailurePolicy: {
        rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] }, onPodConditions: null }],
      },
    },
  },
  { job: 'fails with other exit codes', spec: onExit('In', [42]) },
  { job: 'allows another failure of the index', spec: { backoffLimitPerIndex: 2 }, annotations: failedOnce },
])('a pod is made again where its Job $job', (given) => {
  expect(whyOf(given)).toBeUndefined();
});

it('nothing is said where Jobs are not seen', () => {
  const pod = aPod({ metadata: { name: 'build-x', ...anOwner('Job', 'build') } });
  expect(endsForGood(aCluster({ pods: [pod] }), pod)).toEqual({});
});
