/**
 * Gets or builds what the tests run and the user's cache keeps: both servers of Temporal, the Kafka broker, Nova and
 * Keystone, a Chromium, PgBouncer, promtool and the oldest Node.js. Parts of a run that begin side by side find all of
 * it there, where each would get it for itself, and what a machine does once is a part of its own in the costs of a
 * run. With the argument `kubernetes` it gets the control plane of Kubernetes, kubelet, containerd and Helm, whose
 * build takes some twelve processor-minutes: only their own tests wait for that.
 */
import { temporalPrograms } from '../../dev/temporal-server/programs';
import { findChromium } from '../browser/chromium';
import { allStarted } from '../integration/setup/all-started';
import { kafkaJars } from '../integration/setup/kafka/kafka-jars';
import { findPgBouncer } from '../integration/setup/pgbouncer-program';
import { findPromtool } from '../integration/setup/promtool-program';
import { whyNoKubelets } from '../kubelets/rig/can-run';
import { nodePrograms } from '../kubelets/rig/programs';
import { provideHelm } from '../kubernetes/helm-program';
import { kubernetesPrograms, kwokProgram } from '../kubernetes/rig/programs';
import { pythonWithOpenStack } from '../openstack/rig/python-packages';
import { findTestTemporal } from './find-temporal';
import { findOldestNode } from './oldest-node';
import { openRunFolder } from './run-folder';

/** One after another, since builds share most of their packages. */
const allOfKubernetes = async (): Promise<void> => {
  await kubernetesPrograms();
  await kwokProgram();
  await provideHelm();
  if (whyNoKubelets() === undefined) await nodePrograms();
};

const main = async (): Promise<void> => {
  const { close } = openRunFolder();
  const got: Promise<unknown>[] =
    process.argv[2] === 'kubernetes'
      ? [allOfKubernetes()]
      : [
          findTestTemporal(),
          temporalPrograms(),
          kafkaJars(),
          pythonWithOpenStack(),
          findChromium(),
          findPgBouncer(),
          findPromtool(),
          findOldestNode(),
        ];
  await allStarted(got).finally(close);
};

void main();
