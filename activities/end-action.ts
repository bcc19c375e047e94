/** Recording what became of an action: claim, instance record and event in one transaction, once. */
import { lockSession, type Transaction } from '../prisma/database';
import { type ActionEnd, type ClaimRecord, recordActionEnd } from '../prisma/claims';
import { withdrawQuestions } from '../prisma/question-rounds';
import { changeHost, findSessionHost } from '../prisma/session-hosts';
import { changeInstance } from '../prisma/session-instances';
import { findSessionProgress } from '../prisma/session-progress';
import { appendEvent } from '../events/outbox';
import type { Services } from './services';

type Recording = Pick<Services, 'drafts'>;

/** Does nothing when the end was recorded before. */
export const endAction = async (
  services: Recording,
  tx: Transaction,
  { claim, end }: { readonly claim: ClaimRecord; readonly end: ActionEnd },
): Promise<void> => {
  await lockSession(tx, claim.sessionId);
  // Before the claim (the order of locks): whoever answers now is told that nothing is asked any more.
  if (claim.phase === 'asked') await withdrawQuestions(tx, { sessionId: claim.sessionId, claimId: claim.id });
  if (!(await recordActionEnd(tx, claim, end))) return;
  await describeInstance(tx, claim, end);
  if (end.outcome === 'failed') await failHostOf(tx, claim, end);
  const state = toldAs[end.outcome];
  if (state !== undefined) await tellProject(services, tx, { claim, state });
};

/** What the project is told. Of an own action that expired nothing yet: the service now moves the instance itself. */
const toldAs = {
  done: 'INSTANCE_ACTION_DONE',
  gone: 'INSTANCE_ACTION_DONE',
  failed: 'INSTANCE_ACTION_FAILED',
  expired: undefined,
  dropped: undefined,
} as const;

/** A notification about one instance, which awaits no answer. */
export const tellProject = async (
  { drafts }: Recording,
  tx: Transaction,
  { claim, state }: { readonly claim: ClaimRecord; readonly state: string },
): Promise<void> => {
  const { sessionId, projectId, instanceId } = claim;
  const session = await findSessionProgress(tx, sessionId);
  const metadata = session?.metadata ?? {};
  const notice = { sessionId, projectId, state, instanceIds: instanceId, allowedActions: [], metadata };
  await appendEvent(tx, drafts.planned(notice));
  await changeInstance(tx, claim, { projectState: state });
};

const describeInstance = async (tx: Transaction, claim: ClaimRecord, end: ActionEnd): Promise<void> => {
  const isOver = end.outcome === 'done' || end.outcome === 'gone';
  await changeInstance(tx, claim, {
    actionDone: isOver,
    details: end.failure ?? null,
    ...(end.host === undefined ? {} : { host: end.host }),
    ...(end.outcome === 'gone' ? { state: 'DELETED' } : {}),
  });
};

/** The host stops: its other moves end, it is enabled again, then the session fails with this text. */
const failHostOf = async (tx: Transaction, claim: ClaimRecord, end: ActionEnd): Promise<void> => {
  const host = { sessionId: claim.sessionId, hostname: claim.source };
  const record = await findSessionHost(tx, host);
  if (record?.phase !== 'emptying') return;
  const failure = `host ${claim.source}: instance ${claim.instanceName} (${claim.instanceId}) could not be moved: ${end.failure ?? 'no reason given'}`;
  await changeHost(tx, host, { phase: 'releasing', failure });
};
