/** Blockers that say the same of many hosts, as one. */
import type { Blocker } from '../client/types';

export interface BlockerGroup {
  readonly first: Blocker;
  /** The names of the others. */
  readonly others: readonly string[];
}

const keyOf = ({ kind, severity, owner, project_id: projectId, help, when }: Blocker): string =>
  JSON.stringify([kind, severity, owner, projectId, help, when]);

export const groupedBlockers = (blockers: readonly Blocker[]): BlockerGroup[] =>
  [...Map.groupBy(blockers, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others: others.map(({ subject_name: name }) => name) }],
  );
