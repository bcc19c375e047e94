/**
 * Pods whose eviction makes their Job fail. The Job controller counts a pod that is deleted before it has succeeded as
 * failed; the `podFailurePolicy` of the Job may say otherwise.
 */
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import type { Cluster } from '../cache/cluster';
import type { Job } from '../objects/others';
import { controllerOf, type Pod } from '../objects/pods';

export const endsForGood = (cluster: Cluster, pod: Pod): Pick<CloudInstance, 'endsForGood'> => {
  const { kind, uid = '' } = controllerOf(pod) ?? {};
  const job = kind === 'Job' ? cluster.jobs.byUid(uid) : undefined;
  const because = job && whyFailed(job, pod);
  return because === undefined ? {} : { endsForGood: because };
};

const whyFailed = (job: Job, pod: Pod): string | undefined => {
  const name = `Job ${job.metadata.name}`;
  switch (ruleOnEviction(job)?.action) {
    case 'Ignore':
      return undefined;
    case 'FailJob':
      return `the podFailurePolicy of ${name} lets the Job fail with such a pod (FailJob)`;
    case 'FailIndex':
      return `the podFailurePolicy of ${name} lets the index of such a pod fail (FailIndex)`;
    case undefined:
    default:
      return whyOneTooMany(job, pod, name);
  }
};

/** The API server marks the pod with this condition when it evicts it. */
const disrupted = 'DisruptionTarget';
/** The exit codes of a process that a signal has ended: SIGTERM, then SIGKILL. */
const exitCodes = [143, 137] as const;

type Rule = NonNullable<NonNullable<Job['spec']['podFailurePolicy']>['rules']>[number];

/** The first rule that matches counts. */
const ruleOnEviction = ({ spec }: Job): Rule | undefined =>
  spec.podFailurePolicy?.rules?.find(({ onExitCodes, onPodConditions }) =>
    onExitCodes === undefined
      ? onPodConditions?.some(({ type, status = 'True' }) => type === disrupted && status === 'True')
      : exitCodes.some((code) => onExitCodes.values.includes(code) === (onExitCodes.operator === 'In')),
  );

const indexFailures = 'batch.kubernetes.io/job-index-failure-count';

const whyOneTooMany = ({ spec, status }: Job, { metadata }: Pod, name: string): string | undefined => {
  const { backoffLimit, backoffLimitPerIndex: perIndex } = spec;
  if (perIndex !== undefined && Number(metadata.annotations?.[indexFailures] ?? 0) >= perIndex)
    return `an evicted pod counts as failed, and ${name} allows no further failure of its index (backoffLimitPerIndex: ${perIndex})`;
  if (backoffLimit === undefined || (status?.failed ?? 0) < backoffLimit) return undefined;
  return `an evicted pod counts as failed, and ${name} allows no further failure (backoffLimit: ${backoffLimit})`;
};
