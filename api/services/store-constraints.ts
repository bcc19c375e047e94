/**
 * Stores constraints that callers send at about the same time in few transactions, and wakes sessions once for all of
 * them: a transaction costs far more than a record in it.
 */
import { gathered } from '../../calls/joined';
import { type ConstraintsToWrite, mostAtOnce, writeConstraints } from '../../prisma/constraints/write-constraints';
import type { Database } from '../../prisma/database';
import { listSessionsOfProjects } from '../../prisma/session/sessions';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { WriteAnswer } from '../../rules/constraints/constraint-writes';
import type { WorkflowCalls } from '../../temporal/workflow-calls';

export interface StoreDeps {
  readonly db: Database;
  readonly workflowCalls: Pick<WorkflowCalls, 'wakeSession'>;
}

/** Resolves when the sessions that have instances of the project are woken: a group counts members of it alone. */
export type StoreConstraints = (write: ConstraintsToWrite) => Promise<WriteAnswer>;

interface Stored {
  readonly answer: WriteAnswer;
  readonly woken: Promise<void>;
}

export const createConstraintStore = (deps: StoreDeps): StoreConstraints => {
  const store = gathered<ConstraintsToWrite, Stored>(async (writes) => {
    const stored = new Map<ConstraintsToWrite, Stored>();
    for (let at = 0; at < writes.length; at += mostAtOnce) {
      const part = writes.slice(at, at + mostAtOnce);
      const answers = await writeConstraints(deps.db, part);
      const projects = part.filter((_write, position) => answers[position]?.kind === 'written');
      const woken = wakeSessionsOf(deps, new Set(projects.map(({ constraints }) => keyOf(constraints.projectId))));
      woken.catch(() => undefined); // told to those who wait for it; nobody may
      part.forEach((write, position) => {
        const answer = answers[position];
        if (answer !== undefined) stored.set(write, { answer, woken });
      });
    }
    return stored;
  });
  return async (write) => {
    const stored = await store(write);
    if (stored === undefined) throw new Error('a write of constraints has no answer');
    await stored.woken;
    return stored.answer;
  };
};

export const wakeSessionsOf = async (
  { db, workflowCalls }: StoreDeps,
  projectKeys: ReadonlySet<IdKey>,
): Promise<void> => {
  if (projectKeys.size === 0) return;
  const sessionIds = await listSessionsOfProjects(db, [...projectKeys]);
  await Promise.all(sessionIds.map((sessionId) => workflowCalls.wakeSession(sessionId)));
};
