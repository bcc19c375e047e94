/** Blockers that say the same of many hosts, as one. */
import type { Plan } from '../client/types';

export type PlanBlocker = Plan['blockers'][number];

export interface BlockerGroup {
  readonly first: PlanBlocker;
  /** The names of the others. */
  readonly others: readonly string[];
}

const keyOf = ({ kind, severity, owner, project_id: projectId, help, when }: PlanBlocker): string =>
  JSON.stringify([kind, severity, owner, projectId, help, when]);

export const groupedBlockers = (blockers: readonly PlanBlocker[]): BlockerGroup[] =>
  [...Map.groupBy(blockers, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others: others.map(({ subject_name: name }) => name) }],
  );
