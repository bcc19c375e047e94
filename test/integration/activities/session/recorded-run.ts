/** A session on record. Its workflow and those of its hosts have one run, as whose activities others are run here. */
import { randomUUID } from 'node:crypto';
import type { Prisma } from '@prisma/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Database } from '../../../../prisma/database';
import { recordSession } from '../../events/recorded-facts';

type HostFields = Partial<Prisma.SessionHostUncheckedCreateInput> & { readonly hostname: string };

export interface RecordedRun {
  readonly sessionId: string;
  readonly runId: string;
  readonly run: <T>(work: () => Promise<T>, workflowId?: string) => Promise<T>;
}

export const recordRun = async (
  db: Database,
  session: Prisma.SessionUncheckedUpdateInput,
  hosts: readonly HostFields[],
): Promise<RecordedRun> => {
  const [sessionId, runId] = [await recordSession(db), randomUUID()];
  await db.session.update({ where: { id: sessionId }, data: { runId, ...session } });
  for (const host of hosts) {
    await db.sessionHost.create({ data: { type: 'compute', isCompute: true, runId, ...host, sessionId } });
  }
  return { sessionId, runId, run: (work, workflowId = sessionId) => runAs({ workflowId, runId }, work) };
};

/** Runs what an activity of that run does. */
export const runAs = <T>(
  workflowExecution: { readonly workflowId: string; readonly runId: string },
  work: () => Promise<T>,
): Promise<T> =>
  new MockActivityEnvironment({ workflowExecution }, { logger: new DefaultLogger('ERROR') }).run<
    [],
    T,
    () => Promise<T>
  >(work);
