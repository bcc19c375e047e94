/** The demo's projects: those with a manager have a descriptor in examples/demo, and one has no manager. */
import { readFileSync } from 'node:fs';
import { exampleFile } from './demo-settings';

/** Descriptors of the demo VNFM (examples/vnfm), one process each. */
export const managedProjects = ['vepc', 'vims', 'vfw'] as const;
export type ManagedProject = (typeof managedProjects)[number];

const silentProject = { name: 'batch', projectId: 'a000ba7c000040008000000000000001' };

interface DemoDescriptor {
  readonly name: string;
  readonly project_id: string;
  readonly instances: readonly { readonly instance_id: string }[];
}

const parseDescriptor = (text: string): DemoDescriptor => JSON.parse(text) as DemoDescriptor;

export const descriptorFile = (project: ManagedProject): string => exampleFile(`${project}.json`);

export const readDescriptor = (project: ManagedProject): DemoDescriptor =>
  parseDescriptor(readFileSync(descriptorFile(project), 'utf8'));

/** Names by project ID, including the project without a manager. */
export const projectNames = (): ReadonlyMap<string, string> =>
  new Map([
    ...managedProjects.map(readDescriptor).map(({ project_id, name }) => [project_id, name] as const),
    [silentProject.projectId, silentProject.name],
  ]);
