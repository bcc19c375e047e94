/**
 * Pods that should come to their end on their node: pods of Jobs, and those whose project says so. A bare pod that is
 * not started again when it ends may end there, too, and so is waited for where it is kept.
 */
import type { Unheld } from '../../../rules/cloud/departure';
import { annotationNames } from '../limits/annotations';
import { controllerOf, type Pod } from '../objects/pods';

/**
 * @param completes its project says so by the annotation
 * @param completeSeconds the time for which such a pod is waited for where the session does not say it. Others are
 * waited for only where the session does.
 */
export const endsByItself = (pod: Pod, completes: boolean, completeSeconds: number): Pick<Unheld, 'endsByItself'> => {
  const sinceMs = Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
  if (completes) {
    const because = `its annotation ${annotationNames.onDrain} says that it is to come to its end`;
    return { endsByItself: { because, waitSeconds: completeSeconds, sinceMs } };
  }
  const { kind, name = '' } = controllerOf(pod) ?? {};
  const ifKept = { waitSeconds: 0, waitSecondsIfKept: completeSeconds, sinceMs };
  if (kind === 'Job') return { endsByItself: { because: `it is at work for Job ${name}`, ...ifKept } };
  const ends = kind === undefined && (pod.spec.restartPolicy ?? 'Always') !== 'Always';
  return ends ? { endsByItself: { because: 'it is not started again when it ends', ...ifKept } } : {};
};
