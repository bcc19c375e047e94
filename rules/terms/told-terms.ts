/** Places terms that projects tell their cloud among stored ones: behind constraints, before those of the project. */
import { type IdKey, keyOf } from '../cloud/id';
import { nearestTerms, type Terms, type ToldTerms } from '../cloud/terms';
import type { KnownTerms } from './answer-by-terms';

/** Terms that a cloud tells, by the keys of the instances and of the projects. */
export interface ToldByCloud {
  readonly instances: ReadonlyMap<IdKey, Terms>;
  readonly projects: ReadonlyMap<IdKey, Terms>;
}

interface TellingInstance {
  readonly instanceId: string;
  readonly projectId: string;
  readonly terms?: ToldTerms | undefined;
}

export const toldBy = (listed: readonly TellingInstance[]): ToldByCloud => {
  const [instances, projects] = [new Map<IdKey, Terms>(), new Map<IdKey, Terms>()];
  for (const { instanceId, projectId, terms } of listed) {
    if (terms?.ofInstance) instances.set(keyOf(instanceId), terms.ofInstance);
    if (terms?.ofProject) projects.set(keyOf(projectId), terms.ofProject);
  }
  return { instances, projects };
};

export const toldOfProjects = (told: ReadonlyMap<string, Terms>): ToldByCloud['projects'] =>
  new Map([...told].map(([projectId, terms]) => [keyOf(projectId), terms]));

export const withToldTerms = (known: KnownTerms, told: ToldByCloud): KnownTerms => ({
  instances: merged(known.instances, told.instances, (stored = [], ofInstance) => [...stored, ofInstance]),
  projects: merged(known.projects, told.projects, (stored, ofProject) =>
    stored === undefined ? ofProject : nearestTerms([ofProject, stored]),
  ),
});

/** The same map where nothing is told: nearly all clouds tell nothing. */
const merged = <Stored>(
  stored: ReadonlyMap<IdKey, Stored>,
  told: ReadonlyMap<IdKey, Terms>,
  merge: (stored: Stored | undefined, told: Terms) => Stored,
): ReadonlyMap<IdKey, Stored> =>
  told.size === 0
    ? stored
    : new Map([...stored, ...[...told].map(([key, one]) => [key, merge(stored.get(key), one)] as const)]);
