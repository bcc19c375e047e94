/**
 * Follows the questions about single instances: each is asked again after a refusal, and settled by silence, or by
 * the reply itself (prisma/questions/record-answers.ts). Then the claim's action begins without another admission.
 */
import { findConstraintsOf } from '../../prisma/constraints/constraints-for-decisions';
import { databaseNow, type Queryable } from '../../prisma/database';
import type { HostRef } from '../../prisma/hosts/session-hosts';
import { type ClaimRecord, findActiveClaims, lockClaims } from '../../prisma/moves/claims';
import { findQuestionsOfClaims, lockQuestionsOfClaims } from '../../prisma/questions/question-rounds';
import { settleClaims } from '../../prisma/questions/settle-claims';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { CloudInstance } from '../../rules/cloud/cloud-facts';
import { whyByProject } from '../../rules/cloud/departure';
import { untilNextLook } from '../../rules/decisions/look-again';
import { type InstanceQuestionStanding, standingOfQuestions } from '../../rules/questions/instance-question';
import { isOver, isToBeOpened } from '../../rules/questions/negotiation';
import { isSilence, type Question } from '../../rules/questions/question';
import { actsOnSilence, afterLastNack, afterSilence, type ReplyVerdict } from '../../rules/questions/reply-policy';
import { replyWindowOfInstance } from '../../rules/questions/reply-window';
import { mayBegin } from '../../rules/steering/may-begin';
import { endAction } from '../moves/end-action';
import type { Services } from '../services';
import type { HostAsking } from './ask-about-host';
import { askedState, askInstances } from './ask-instances';
import { closeUnanswered, closeUnneeded } from './end-questions';
import { readWithReplyWindowsOpened } from './open-reply-windows';

export interface AskedInstances {
  /** Questions were asked again: publish them. */
  readonly unasked: boolean;
  /** Set where claims have ended: the session should plan again. */
  readonly closed?: boolean;
  /** A project has refused too often, or has not answered: what follows, by the session's reply_policy. */
  readonly verdict?: ReplyVerdict;
  readonly lookAgainMs: number;
}

/** Settles the questions that are over and repeats those that are due, for the instances of one host. */
export const followAskedInstances = async (
  { services, tx, host, instances }: HostAsking,
  session: SessionProgress,
): Promise<AskedInstances> => {
  const asked = await findAskedClaims(tx, host);
  if (asked.length === 0) return { unasked: false, lookAgainMs: untilNextLook([]) };
  const questions = await readWithReplyWindowsOpened(services, tx, () => lockQuestionsOfClaims(tx, idsOf(asked)));
  const nowMs = (await databaseNow(tx)).getTime();
  const refusalsAfterMs = session.replyPausedAt?.getTime() ?? 0;
  const standings = standingsOf(services, { asked, questions, instances, nowMs, refusalsAfterMs });
  const scene = { services, tx, session, nowMs };
  return mayBegin(session, new Date(nowMs)) ? carryOut(scene, standings) : onlyClose(scene, standings);
};

interface ClaimsOnHost {
  /** The claims on the host whose action is not over. */
  readonly claims: readonly ClaimRecord[];
  /** The cloud's present list of the instances on the host. */
  readonly instances: readonly CloudInstance[];
  readonly now: Date;
}

/**
 * Milliseconds until a question has to be settled or repeated; undefined: now. Takes no lock: an answer in this very
 * moment wakes the host.
 */
export const untilAskedAreDue = async (
  services: Pick<Services, 'db' | 'limits'>,
  { claims, instances, now }: ClaimsOnHost,
): Promise<number | undefined> => {
  const asked = claims.filter(isAsked);
  if (asked.length === 0) return untilNextLook([]);
  const questions = await findQuestionsOfClaims(services.db, idsOf(asked));
  const nowMs = now.getTime();
  const standings = standingsOf(services, { asked, questions, instances, nowMs });
  const isDue = questions.some((question) => isToBeOpened(question, nowMs));
  const isQuiet = !isDue && standings.every(isWaiting);
  return isQuiet ? untilNextLook(standings.flatMap((standing) => waitOf(standing, nowMs))) : undefined;
};

const isPutOff = (standing: InstanceStanding): boolean =>
  standing.kind === 'pausing' && standing.isPutOff && !standing.isGone;

const isWaiting = (standing: InstanceStanding): boolean =>
  !standing.isGone && !isPutOff(standing) && (standing.kind === 'open' || standing.kind === 'pausing');

const findAskedClaims = async (db: Queryable, { sessionId, hostname }: HostRef): Promise<ClaimRecord[]> =>
  (await findActiveClaims(db, { sessionId, source: hostname })).filter(isAsked);

const isAsked = ({ phase }: ClaimRecord): boolean => phase === 'asked';

const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

interface AskedFacts {
  readonly asked: readonly ClaimRecord[];
  readonly questions: readonly Question[];
  /** The cloud's present list of the instances on the host. */
  readonly instances: readonly CloudInstance[];
  readonly nowMs: number;
  /** See rules/questions/instance-question.ts; left out: all refusals count. */
  readonly refusalsAfterMs?: number;
}

const standingsOf = (
  { limits }: Pick<Services, 'limits'>,
  { asked, questions, instances, nowMs, refusalsAfterMs = 0 }: AskedFacts,
): InstanceStanding[] => {
  const listed = new Map(instances.map((instance) => [instance.instanceId, instance]));
  return asked.map((claim) => {
    const own = questions.filter(({ claimId }) => claimId === claim.id);
    const instance = listed.get(claim.instanceId);
    // An instance that is gone needs no answer any more. Its action finds out why.
    const isGone = instance === undefined;
    return {
      claim,
      questions: own,
      isGone,
      cannotMove: instance && whyByProject(instance),
      toldLeadTime: instance?.leadTimeSeconds,
      ...standingOfQuestions(own, nowMs, { ...limits, refusalsAfterMs }),
    };
  });
};

type InstanceStanding = InstanceQuestionStanding & {
  readonly claim: ClaimRecord;
  readonly questions: readonly Question[];
  readonly isGone: boolean;
  readonly cannotMove: string | undefined;
  /** See `CloudInstance.leadTimeSeconds`. */
  readonly toldLeadTime: number | undefined;
};

interface AskingScene extends Pick<HostAsking, 'services' | 'tx'> {
  readonly session: SessionProgress;
  readonly nowMs: number;
}

/** While the session is paused, the windows still end. Nothing that they allow begins, and nobody is asked again. */
const onlyClose = async (scene: AskingScene, standings: readonly InstanceStanding[]): Promise<AskedInstances> => {
  const { session, nowMs } = scene;
  // If the reply policy acts on silence, that action is recorded later, together with the end of the question.
  const over = actsOnSilence(session.replyPolicy) ? [] : standings.filter(({ kind }) => kind === 'settled');
  await settle(scene, over);
  const open = standings.filter(({ kind }) => kind === 'open');
  return { unasked: false, lookAgainMs: untilNextLook(open.flatMap((standing) => waitOf(standing, nowMs))) };
};

const carryOut = async (scene: AskingScene, standings: readonly InstanceStanding[]): Promise<AskedInstances> => {
  const { nowMs } = scene;
  const refused = standings.find(({ kind, isGone }) => kind === 'refused' && !isGone);
  const verdict = await verdictOnInstances(scene, refused, standings);
  if (verdict) return { unasked: false, verdict, lookAgainMs: 1 };
  const settled = standings.filter(({ kind, isGone }) => kind === 'settled' || isGone);
  const again = standings.filter(({ kind, isGone }) => kind === 'ask' && !isGone);
  await settle(scene, settled);
  await askAgain(scene, again);
  const late = standings.filter(isPutOff);
  await endClaims(scene, late);
  const waits = standings.filter(({ isGone }) => !isGone).flatMap((standing) => waitOf(standing, nowMs));
  return { unasked: again.length > 0, closed: late.length > 0, lookAgainMs: untilNextLook(waits) };
};

/** The verdict on a silence is recorded in the transaction that ends its question. */
const verdictOnInstances = async (
  { services, tx, session }: AskingScene,
  refused: InstanceStanding | undefined,
  standings: readonly InstanceStanding[],
): Promise<ReplyVerdict | undefined> => {
  const { replyPolicy, replyPausedAt } = session;
  if (refused) return afterLastNack(session, refusalOf(refused, services));
  const silent = actsOnSilence(replyPolicy) ? standings.find(isSilentSince(replyPausedAt?.getTime() ?? 0)) : undefined;
  const question = silent?.questions.at(-1);
  if (silent === undefined || question === undefined) return undefined;
  await closeUnanswered(services, tx, [question.id]);
  return afterSilence(replyPolicy, silenceOf(silent.claim, question));
};

/** Its window ended after that time without an answer. */
const isSilentSince =
  (sinceMs: number) =>
  (standing: InstanceStanding): boolean =>
    standing.kind === 'settled' &&
    !standing.isGone &&
    isSilence(standing.question) &&
    (standing.question.replyAtMs ?? 0) > sinceMs;

const silenceOf = ({ projectId, instanceName, instanceId }: ClaimRecord, { state }: Question): string =>
  `project ${projectId} did not answer ${state} about instance ${instanceName} (${instanceId}) in time`;

const settle = async ({ services, tx, nowMs }: AskingScene, settled: readonly InstanceStanding[]): Promise<void> => {
  const open = settled.flatMap(({ questions }) => questions.filter(({ status }) => status === 'open'));
  const overdue = open.filter((question) => isOver(question, nowMs));
  const ofGone = open.filter((question) => !overdue.includes(question));
  await lockClaims(tx, idsOf(settled.map(({ claim }) => claim)));
  await closeUnanswered(services, tx, idsOf(overdue));
  await closeUnneeded(services, tx, idsOf(ofGone));
  // The answer of terms is in the claim already.
  const others = settled.filter(({ questions }) => !questions.some((one) => overdue.includes(one) && !isSilence(one)));
  const claims = others.map((standing) => ({
    claimId: standing.claim.id,
    instanceId: standing.claim.instanceId,
    question: standing.kind === 'settled' ? standing.question : undefined,
  }));
  await settleClaims(tx, services.cloud.actions, claims);
};

const askAgain = async ({ services, tx, session }: AskingScene, again: readonly InstanceStanding[]): Promise<void> => {
  if (again.length === 0) return;
  const constraints = await findConstraintsOf(
    tx,
    again.map(({ claim }) => claim.instanceId),
  );
  const askings = again.map(({ claim, questions, cannotMove, toldLeadTime }) => ({
    claim,
    cannotMove,
    state: questions.at(-1)?.state ?? askedState(session),
    windowSeconds: replyWindowOfInstance(
      { leadTimeSeconds: constraints.get(claim.instanceId)?.leadTime ?? toldLeadTime },
      services.limits.projectReplySeconds,
    ),
  }));
  await askInstances(services, tx, { session, askings });
};

/** Ends their claims. The next decision knows when they may be asked again (rules/owner-times/answered-times.ts). */
const endClaims = async ({ services, tx }: AskingScene, putOff: readonly InstanceStanding[]): Promise<void> => {
  const failure = 'not begun: its project has refused, and is asked again later';
  for (const { claim } of putOff) await endAction(services, tx, { claim, end: { outcome: 'dropped', failure } });
};

/** The time for which nothing can change by itself. An answer wakes the host; only silence and pauses need a timer. */
const waitOf = (standing: InstanceStanding, nowMs: number): number[] => {
  if (standing.kind === 'pausing') return [standing.untilMs - nowMs];
  if (standing.kind !== 'open') return [];
  // Its window opens when its event reaches the bus, so it ends at the earliest a whole window from now.
  return [standing.untilMs === undefined ? shortestReplyWindowMs : standing.untilMs - nowMs];
};

const shortestReplyWindowMs = 1_000;

const refusalOf = ({ claim, questions }: InstanceStanding, { limits }: Pick<Services, 'limits'>): string =>
  `project ${claim.projectId} answered NACK_${questions.at(-1)?.state ?? ''} ${limits.nackRetries + 1} times ` +
  `for instance ${claim.instanceName} (${claim.instanceId})`;
