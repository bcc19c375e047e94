/** Tells blockers in the words of the interface: the gravest first, with names for people. */
import type { MissingCapacity } from '../../rules/obstacles/blocker';
import { type Blocker, byGravity } from '../../rules/obstacles/blockers';
import { namingProjects } from '../../rules/words/names';
import type { BlockerBody } from '../schemas/blocker-schema';

export const serializeBlockers = (
  blockers: readonly Blocker[],
  projectNames: ReadonlyMap<string, string>,
): BlockerBody[] =>
  blockers.toSorted(byGravity).map(({ kind, severity, when, subject, owner, projectId, because, help, missing }) => ({
    kind,
    severity,
    when,
    subject_kind: subject.kind,
    subject: subject.id,
    subject_name: namingProjects(subject.name, projectNames),
    owner,
    project_id: projectId ?? null,
    project_name: (projectId === undefined ? undefined : projectNames.get(projectId)) ?? null,
    because: namingProjects(because, projectNames),
    help: namingProjects(help, projectNames),
    missing: missing ? missingOf(missing) : null,
  }));

/** The first two fields are those of a cloud that counts vcpus and memory alone. */
const missingOf = ({ amounts, wanted, onHosts }: MissingCapacity) => ({
  vcpus: amounts['VCPU'] ?? 0,
  memory_mb: amounts['MEMORY_MB'] ?? 0,
  amounts: { ...amounts },
  wanted: [...wanted],
  on_hosts: onHosts,
});
