/** Records the outcome of an action once: claim, instance record and event, in one transaction. */
import { appendEventLocked } from '../../events/outbox';
import { afterCommit, databaseNow, type Transaction } from '../../prisma/database';
import { changeHost, findSessionHost } from '../../prisma/hosts/session-hosts';
import { changeInstance, type InstanceChange } from '../../prisma/hosts/session-instances';
import { type ActionEnd, recordActionEnd } from '../../prisma/moves/claim-end';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { recordRefusal } from '../../prisma/moves/target-refusals';
import { findMetadata } from '../../prisma/session/session-progress';
import { stepOfHost } from '../../rules/steps/host-step';
import { logFact, namesOfMove, secondsBetween } from '../log-facts';
import { withdrawQuestions } from '../questions/end-questions';
import type { Services } from '../services';

type EndRecording = Pick<Services, 'drafts' | 'logger' | 'measures'>;

/** Records the end, unless that was done before. The caller has locked the session's row. */
export const endAction = async (
  services: EndRecording,
  tx: Transaction,
  { claim, end }: { readonly claim: ClaimRecord; readonly end: ActionEnd },
): Promise<void> => {
  // The order of locks puts questions before the claim. A project that replies now learns that the question is closed.
  if (claim.phase === 'asked') await withdrawQuestions(services, tx, { sessionId: claim.sessionId, claimId: claim.id });
  const endedAt = await recordActionEnd(tx, claim, end);
  if (endedAt === undefined) return;
  logEnd(services, tx, { claim, end, endedAt });
  afterCommit(tx, () => services.measures.moveEnded(claim.action, end.outcome));
  const state = toldAs[end.outcome];
  await changeInstance(tx, claim, { ...describe(end), ...(state && { projectState: state }), updatedAt: endedAt });
  if (end.outcome === 'failed') await failHostOf(tx, claim, end);
  if (end.refusal) {
    const { instanceId, target } = claim;
    await recordRefusal(tx, { instanceId, target, reason: end.failure ?? 'no reason given', ...end.refusal });
  }
  if (state !== undefined) await tellProject(services, tx, { claim, state, reason: end.failure });
};

interface RecordedEnd {
  readonly claim: ClaimRecord;
  readonly end: ActionEnd;
  readonly endedAt: Date;
}

const logEnd = (services: EndRecording, tx: Transaction, { claim, end, endedAt }: RecordedEnd): void =>
  logFact(services, tx, {
    what: claim.startedAt === null ? 'move not begun' : 'move ended',
    ...(end.outcome === 'failed' && { level: 'warn' }),
    ...namesOfMove(claim),
    target: end.host ?? claim.target,
    outcome: end.outcome,
    reason: end.failure,
    tookSeconds: secondsBetween(claim.startedAt, endedAt),
  });

/** The event for the project. None yet for an own action that expired: the service now moves the instance itself. */
const toldAs = {
  done: 'INSTANCE_ACTION_DONE',
  gone: 'INSTANCE_ACTION_DONE',
  failed: 'INSTANCE_ACTION_FAILED',
  expired: undefined,
  // Another target is to be found.
  refused: undefined,
  dropped: undefined,
} as const;

/**
 * Tells the project that the action was not possible, such as a live migration or an eviction, and that the move will
 * be forced. The caller has locked the session's row.
 */
export const tellFallback = async (
  services: EndRecording,
  tx: Transaction,
  { claim, reason }: { readonly claim: ClaimRecord; readonly reason: string },
): Promise<void> => {
  const state = 'INSTANCE_ACTION_FALLBACK';
  const now = await databaseNow(tx);
  await changeInstance(tx, claim, { projectState: state, updatedAt: now });
  const tookSeconds = secondsBetween(claim.startedAt, now);
  const { action } = claim;
  logFact(services, tx, { what: 'action given up, move forced', ...namesOfMove(claim), action, reason, tookSeconds });
  await tellProject(services, tx, { claim, state, reason });
};

interface ToldEnd {
  readonly claim: ClaimRecord;
  readonly state: string;
  readonly reason: string | undefined;
}

/** A notification about one instance, which expects no answer. */
const tellProject = async (
  { drafts }: EndRecording,
  tx: Transaction,
  { claim, state, reason }: ToldEnd,
): Promise<void> => {
  const { sessionId, projectId, instanceId } = claim;
  const metadata = await findMetadata(tx, sessionId);
  const notice = { sessionId, projectId, state, instanceIds: instanceId, allowedActions: [], metadata, reason };
  await appendEventLocked(tx, drafts.planned(notice));
};

const describe = (end: ActionEnd): InstanceChange => ({
  actionDone: end.outcome === 'done' || end.outcome === 'gone',
  details: end.failure ?? null,
  ...(end.host === undefined ? {} : { host: end.host }),
  ...(end.outcome === 'gone' ? { state: 'DELETED' } : {}),
});

/**
 * The host fails with this text: its other moves end, and then it is given back or stays disabled. One whose instance
 * the cloud refused to let go is given back for good, and the session decides about it when all others are done.
 */
const failHostOf = async (tx: Transaction, claim: ClaimRecord, end: ActionEnd): Promise<void> => {
  const host = { sessionId: claim.sessionId, hostname: claim.source };
  const record = await findSessionHost(tx, host);
  if (record?.phase !== 'emptying') return;
  const why = `could not be moved: ${end.failure ?? 'no reason given'}`;
  const failure = `host ${claim.source}: instance ${claim.instanceName} (${claim.instanceId}) ${why}`;
  await changeHost(tx, host, stepOfHost(record, { kind: end.isRefusedStill ? 'refusedStill' : 'fail', failure }));
};
