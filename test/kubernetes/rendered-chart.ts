/** The manifests that Helm makes of the chart. */
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { provideHelm } from './helm-program';

export const chart = path.join(__dirname, '../../deploy/helm/parley');

interface Container {
  readonly securityContext: unknown;
  readonly env?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
}
export interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly unknown[];
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

export const render = async (...values: readonly string[]): Promise<Manifest[]> => {
  const helm = await provideHelm();
  const set = values.flatMap((value) => ['--set', value]);
  // Helm that is built by Go itself does not know which Kubernetes it was made for.
  const text = await helm('template', 'parley', chart, '--namespace', 'maint', '--kube-version', '1.37.2', ...set);
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
};

export const podsOf = (manifests: readonly Manifest[]) =>
  manifests.flatMap(({ metadata, spec }) => (spec?.template ? [{ name: metadata.name, pod: spec.template.spec }] : []));
