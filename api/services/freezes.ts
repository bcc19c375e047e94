/** Freezes: what admins store, read and delete. Sessions are woken, so that each acts on the change at once. */
import type { Logger } from 'pino';
import { type Database, databaseNow } from '../../prisma/database';
import {
  findStoredFreeze,
  findStoredFreezes,
  removeFreeze,
  type StoredFreeze,
  writeFreeze,
} from '../../prisma/session/freezes';
import { listSessionsToWake } from '../../prisma/session/sessions';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { checkFreeze, readFreeze } from '../parsing/freezes';
import { freezeNotFound } from '../problems/freeze-problems';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import type { WriteFreezeBody } from '../schemas/freeze-schemas';

/** A freeze, and the time by which it is shown. */
export interface FreezeNow {
  readonly stored: StoredFreeze;
  readonly now: Date;
}

export interface Freezes {
  /** @throws ApiError 422 */
  write(name: string, body: WriteFreezeBody): Promise<FreezeNow>;
  list(): Promise<readonly FreezeNow[]>;
  /** @throws ApiError 404 */
  find(name: string): Promise<FreezeNow>;
  /** @throws ApiError 404 */
  remove(name: string): Promise<void>;
}

export interface FreezeDeps {
  readonly db: Database;
  readonly workflowCalls: Pick<WorkflowCalls, 'wakeSession'>;
  readonly logger: Logger;
}

export const createFreezes = (deps: FreezeDeps): Freezes => ({
  write: (name, body) => write(deps, name, body),
  async list() {
    const [freezes, now] = [await findStoredFreezes(deps.db), await databaseNow(deps.db)];
    return freezes.map((stored) => ({ stored, now }));
  },
  async find(name) {
    const stored = await findStoredFreeze(deps.db, name);
    if (stored === undefined) throw freezeNotFound(name);
    return { stored, now: await databaseNow(deps.db) };
  },
  async remove(name) {
    if (!(await removeFreeze(deps.db, name))) throw freezeNotFound(name);
    deps.logger.info({ freeze: name }, 'freeze deleted');
    await wakeSessions(deps);
  },
});

const write = async (deps: FreezeDeps, name: string, body: WriteFreezeBody): Promise<FreezeNow> => {
  const read = readFreeze(name, body);
  if (read.kind === 'invalid') throw bodyDoesNotFit([...read.errors]);
  const { freeze } = read;
  const outcome = await writeFreeze(deps.db, freeze, (others, now) => checkFreeze(freeze, others, now));
  if (outcome.kind === 'invalid') throw bodyDoesNotFit([...outcome.errors]);
  deps.logger.info({ freeze: name, reason: freeze.reason }, 'freeze stored');
  await wakeSessions(deps);
  return outcome;
};

const wakeSessions = async ({ db, workflowCalls }: FreezeDeps): Promise<void> => {
  const sessionIds = await listSessionsToWake(db);
  await Promise.all(sessionIds.map((sessionId) => workflowCalls.wakeSession(sessionId)));
};
