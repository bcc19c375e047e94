/** An admission webhook on loopback that refuses all evictions of a namespace, at once or after a while. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { testKubernetes } from './addresses';

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

export interface RefusingWebhook {
  readonly name: string;
  /** Resolves when it is asked for the first time. */
  readonly asked: Promise<undefined>;
  readonly close: () => Promise<void>;
}

export interface Refusal {
  readonly namespace: string;
  readonly code: number;
  readonly message: string;
  /** It answers nothing before. */
  readonly after?: Promise<unknown>;
}

export const startRefusingWebhook = async (
  admin: KubernetesClient,
  { namespace, code, message, after = Promise.resolve() }: Refusal,
): Promise<RefusingWebhook> => {
  const asked = Promise.withResolvers<undefined>();
  const folder = path.dirname(testKubernetes().adminKubeconfig);
  const file = (name: string): Buffer => readFileSync(path.join(folder, name));
  // The certificate of the API server is good for every port of this address.
  const server = createServer({ cert: file('api.crt'), key: file('api.key') }, (request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: { uid: string } };
      const response = { uid: review.request.uid, allowed: false, status: { code, message } };
      asked.resolve(undefined);
      void after.then(() => {
        answer.setHeader('content-type', 'application/json');
        answer.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const name = `${namespace}.webhook.test`;
  const evictions = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods/eviction'] };
  const webhook = {
    name,
    clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: file('ca.crt').toString('base64') },
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    rules: [evictions],
    ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail', timeoutSeconds: 30 },
  };
  await admin.call({ method: 'POST', path: configurations, body: { metadata: { name }, webhooks: [webhook] } });
  return {
    name,
    asked: asked.promise,
    async close() {
      await admin.call({ method: 'DELETE', path: `${configurations}/${name}` });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
