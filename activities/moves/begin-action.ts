/** Begins a granted action under the present constraints, or ends its claim when the action can no longer begin. */
import { lockLimits } from '../../prisma/constraints/constraint-locks';
import {
  type Database,
  databaseNow,
  inTransaction,
  type OwnersInSession,
  shareSession,
  type Transaction,
} from '../../prisma/database';
import { findSessionHost, type HostRef } from '../../prisma/hosts/session-hosts';
import type { ActionEnd } from '../../prisma/moves/claim-end';
import {
  type Beginner,
  type BegunClaim,
  type ClaimRecord,
  findClaim,
  isBegun,
  lockClaims,
  recordActionStart,
} from '../../prisma/moves/claims';
import { mayBeginIn } from '../../prisma/session/may-begin';
import { limitKeysOf } from '../../rules/decisions/fleet/limit-keys';
import { type Start, startOf, type StartView } from '../../rules/decisions/limits/before-start';
import { recoverySecondsOf } from '../../rules/decisions/limits/limits-of-instance';
import { whileStartingMs } from '../../rules/decisions/look-again';
import { releasedAtMs } from '../../rules/owner-times/release';
import { inFullWords } from '../../rules/reasons/in-words';
import { ownerTimeReason } from '../../rules/reasons/of-owner-time';
import { type OwnerTimeLimits, ownerTimesOf, tellsTimes } from '../../snapshot/with-owner-times';
import { logFact, namesOfMove } from '../log-facts';
import type { Services } from '../services';
import { inHost, takeOverHost } from '../session/run-in-force';
import { wakeOthers } from '../session/wake-others';
import { sleep } from '../sleep';
import { actionInForce } from './action-in-force';
import { actionLimitOf, type ActionLimits } from './action-limit';
import { endAction } from './end-action';
import { lookBeforeStart, type StartSnapshot, viewOf } from './look-before-start';

export interface ActionRef extends HostRef {
  readonly claimId: string;
}

/**
 * - began: the claim, with its beginning.
 * - stopped: the action has begun or ended already, or its host or session may not begin anything now.
 * - refused: its project has refused it, and may be asked again by now. An action with its own question waits, under
 * its claim, for another answer.
 * - otherAction: another action follows by now. The claim of an action with its own question has that action.
 */
type Beginning =
  | { readonly kind: 'began'; readonly claim: BegunClaim }
  | { readonly kind: 'stopped' | 'refused' | 'otherAction' }
  | Exclude<Start, { readonly kind: 'begin' }>;

/**
 * The claim to act on; undefined when it is over already, ends here because its action cannot begin any more, or waits.
 */
export const beginAction = async (services: Services, ref: ActionRef): Promise<BegunClaim | undefined> => {
  const claim = await findClaim(services.db, ref.claimId);
  if (claim?.phase !== 'moving') return undefined;
  if (isBegun(claim)) return claim;
  const { runId } = await takeOverHost(services, ref);
  const beginning = await beginOnceTargetIsUp(services, claim, { ...ref, runId });
  if (beginning.kind === 'began') return beginning.claim;
  // Look again: the other action may depend on a target, or not depend on it any more.
  if (beginning.kind === 'otherAction' && claim.askedAt !== null) return beginAction(services, ref);
  if (!(await isKept(services, claim, beginning))) await endUnbegun(services, ref, { claim, beginning });
  return undefined;
};

/** A granted action waits for the end of a pause; a refused one waits for the project's answer. */
const isKept = async ({ db }: Pick<Services, 'db'>, claim: ClaimRecord, { kind }: Beginning): Promise<boolean> => {
  if (kind === 'stopped') return !(await mayBeginIn(db, claim.sessionId));
  return kind === 'refused' && claim.askedAt !== null;
};

/** All instances that move to a host which is still starting keep their places there while its start is awaited. */
const beginOnceTargetIsUp = async (
  services: Services,
  claim: ClaimRecord,
  beginner: Beginner,
): Promise<Exclude<Beginning, { kind: 'targetStarts' }>> => {
  for (;;) {
    const beginning = await beginIfItMay(services, claim, beginner);
    if (beginning.kind !== 'targetStarts') return beginning;
    if (!(await isStillToBegin(services.db, beginner))) return { kind: 'stopped' };
    await sleep(whileStartingMs);
  }
};

const isStillToBegin = async (db: Database, { claimId, ...host }: Beginner): Promise<boolean> => {
  const claim = await findClaim(db, claimId);
  const isEmptying = (await findSessionHost(db, host))?.phase === 'emptying';
  return claim?.phase === 'moving' && isEmptying && (await mayBeginIn(db, host.sessionId));
};

interface Unbegun {
  readonly claim: ClaimRecord;
  readonly beginning: Exclude<Beginning, { kind: 'began' | 'targetStarts' }>;
}

/** The work on its host has been stopped since it was granted, or a condition of the grant no longer holds. */
const endUnbegun = async (services: Services, ref: ActionRef, { claim: looked, beginning }: Unbegun): Promise<void> => {
  const lockFirst = (tx: Transaction) => lockLimits(tx, limitKeysOf(looked));
  await inHost(services, { ...ref, lockFirst }, async (tx) => {
    const claim = await findClaim(tx, ref.claimId);
    const end = endInsteadOf(beginning);
    if (claim?.phase === 'moving' && claim.startedAt === null) await endAction(services, tx, { claim, end });
  });
  await wakeOthers(services, ref.sessionId, { kind: 'room' });
};

/**
 * The end of a claim whose action does not begin. The session's next plan decides again about an action that is put
 * off.
 */
const endInsteadOf = (beginning: Unbegun['beginning']): ActionEnd => {
  switch (beginning.kind) {
    case 'stopped':
      return { outcome: 'dropped' };
    case 'gone':
      return { outcome: 'gone' };
    case 'away':
      return { outcome: 'done', host: beginning.host };
    case 'refused':
      return { outcome: 'dropped', failure: 'not begun: its project has refused it since it was granted' };
    case 'otherAction':
      return { outcome: 'dropped', failure: 'not begun: its project has chosen another action since it was granted' };
    case 'outdated':
      return { outcome: 'dropped', failure: 'not begun: the constraints of its instance have changed' };
    case 'cannotMove':
      return { outcome: 'failed', failure: beginning.failure };
    case 'putOff':
      return { outcome: 'dropped', failure: `not begun: waits for ${inFullWords(beginning.because)}` };
  }
};

interface CloudAndRecords extends Pick<Services, 'cloud' | 'db' | 'logger'> {
  readonly limits: StartLimits;
}

type StartLimits = ActionLimits & OwnerTimeLimits & Pick<Services['limits'], 'hostStartSeconds'>;

/**
 * Decides again on a fresh list before the action is put off: a host that was down, or the instances on it, may have
 * changed since the cached list was made.
 */
export const beginIfItMay = async (
  { cloud, db, logger, limits }: CloudAndRecords,
  claim: ClaimRecord,
  beginner: Beginner,
): Promise<Beginning> => {
  const attempt = { db, logger, claim, beginner, limits };
  const lately = await lookBeforeStart({ cloud, db, claim, isFresh: false });
  const beginning = await beginOn(lately, attempt);
  if (!isPutOffForTarget(beginning)) return beginning;
  return beginOn(await lookBeforeStart({ cloud, db, claim, isFresh: true }), attempt);
};

const isPutOffForTarget = (beginning: Beginning): boolean =>
  beginning.kind === 'targetStarts' ||
  (beginning.kind === 'putOff' && ['target', 'room', 'affinity'].includes(beginning.because.waitingFor));

interface BeginningAttempt extends Pick<Services, 'db' | 'logger'> {
  readonly claim: ClaimRecord;
  readonly beginner: Beginner;
  readonly limits: StartLimits;
}

interface LastLook {
  readonly claim: ClaimRecord;
  readonly limits: StartLimits;
  readonly owners: OwnersInSession;
}

/** Its claim ends, so that it impedes nobody meanwhile. */
const putOffByOwner = async (
  tx: Transaction,
  { instance }: StartView,
  { claim, limits, owners }: LastLook,
): Promise<Extract<Start, { kind: 'putOff' }> | undefined> => {
  if (!owners.letsPutOff && !owners.keepsTerms && !tellsTimes(instance)) return undefined;
  // A reply that changes the time alone locks the claim as well.
  if (owners.letsPutOff) await lockClaims(tx, [claim.id]);
  const now = await databaseNow(tx);
  const timed = await ownerTimesOf(tx, { sessionId: claim.sessionId, instance, ...owners }, { ...limits, now });
  const untilMs = releasedAtMs(timed, now.getTime());
  if (untilMs <= now.getTime()) return undefined;
  return { kind: 'putOff', because: ownerTimeReason(instance.id, { ...instance, ...timed }, untilMs) };
};

/**
 * Judges and begins the action in one transaction: a change of its constraints, or an answer of its project, comes
 * before it or after it.
 */
const beginOn = async (
  snapshot: StartSnapshot,
  { db, logger, claim, beginner, limits }: BeginningAttempt,
): Promise<Beginning> => {
  const { instance } = snapshot;
  if (instance === undefined) return { kind: 'gone' };
  return inTransaction(db, async (tx) => {
    const view = await viewOf(tx, claim, { ...snapshot, instance, hostStartSeconds: limits.hostStartSeconds });
    const start = startOf(view);
    if (start.kind === 'away' || start.kind === 'outdated') return start;
    const owners = await shareSession(tx, claim.sessionId);
    const action = await actionInForce(tx, claim, view);
    if (action !== claim.action) return { kind: action === 'refused' ? 'refused' : 'otherAction' };
    if (start.kind !== 'begin') return start;
    const putOff = await putOffByOwner(tx, view, { claim, limits, owners });
    if (putOff) return putOff;
    const terms = {
      ...(await actionLimitOf(tx, limits, claim)),
      recoveryTime: recoverySecondsOf(view.limits.map(({ group }) => group)),
    };
    const startedAt = await recordActionStart(tx, beginner, terms);
    if (startedAt === undefined) return { kind: 'stopped' };
    const begun = { ...claim, ...terms, startedAt };
    logFact({ logger }, tx, { what: 'move begun', ...namesOfMove(begun) });
    return { kind: 'began', claim: begun };
  });
};
