/**
 * Writes a decision: hosts, claims with their questions, reservations, the order of the waiting hosts, reasons. The
 * number of statements is fixed.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  changeHosts,
  isPhaseUnderWork,
  noteFirstDrains,
  type SessionHostRecord,
} from '../../prisma/hosts/session-hosts';
import { insertClaims, type NewClaim } from '../../prisma/moves/claims';
import { dropReservations, storeReservations } from '../../prisma/moves/reservations';
import { countAsSilence } from '../../prisma/questions/close-questions';
import { findQuestions } from '../../prisma/questions/question-rounds';
import { noteReasons } from '../../prisma/session/noted-reasons';
import { changeSession, recordDrainOrder } from '../../prisma/session/session-progress';
import { whyByProject } from '../../rules/cloud/departure';
import type { Decision } from '../../rules/decisions/decision';
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import { limitsOf, recoverySecondsOf } from '../../rules/decisions/limits/limits-of-instance';
import { isLate } from '../../rules/questions/late-answer';
import { replyWindowOfInstance } from '../../rules/questions/reply-window';
import { grantedTo } from '../../rules/steps/claim-step';
import { type HostEvent, hostEventsOf, stepOfHost } from '../../rules/steps/host-step';
import { letHostsGo } from '../hosts/gone-hosts';
import { setHostsAside } from '../hosts/set-hosts-aside';
import { logFact } from '../log-facts';
import { askedState, askInstances } from '../questions/ask-instances';
import type { Services } from '../services';
import type { DecisionFacts } from './decide';

export interface HostOrdersDigest {
  readonly hostname: string;
  readonly phase: HostPhase;
  /** Changes when there is something new for the host's workflow. The beginning and the end of a pause count. */
  readonly orders: string;
}

/**
 * @returns the session's hosts under work afterwards, each with a digest of its workflow's orders, without those that a
 * worker attends: it sees its orders by itself
 */
export const commitDecision = async (
  services: Services,
  facts: DecisionFacts,
  decision: Decision,
): Promise<readonly HostOrdersDigest[]> => {
  const { tx, session, now } = facts;
  const claims = newClaims(facts, decision);
  await stepHosts(services, facts, decision);
  await countLateAnswers(facts, decision);
  await insertClaims(tx, claims, now);
  await askAbout(services, facts, claims);
  await storeReservations(tx, session.id, decision.reserve ?? []);
  await dropReservations(tx, session.id, decision.unreserve ?? []);
  await noteDrainOrder(facts, decision);
  if (decision.canaryEnded) await endCanary(services, facts, decision.canaryEnded);
  await noteReasons(tx, { sessionId: session.id, now }, decision.waiting);
  return hostsUnderWork(facts, decision, claims);
};

const endCanary = async (
  services: Pick<Services, 'logger'>,
  { tx, session: { id: sessionId }, now }: DecisionFacts,
  { pauseBecause: reason }: NonNullable<Decision['canaryEnded']>,
): Promise<void> => {
  const paused = reason === undefined ? {} : { pausedAt: now, pausedBecause: reason };
  await changeSession(tx, sessionId, { canaryEndedAt: now, ...paused });
  logFact(services, tx, {
    what: reason === undefined ? 'canary done' : 'canary done, session paused',
    sessionId,
    reason,
  });
};

/** The hosts that change alike are written together; those that are set aside or let go are also told of one by one. */
const stepHosts = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  facts: DecisionFacts,
  decision: Decision,
): Promise<void> => {
  const { tx, session, now } = facts;
  const { id: sessionId } = session;
  const told = hostEventsOf(decision).map(({ hostname, event }) => ({ hostname, event, what: factOf(event) }));
  for (const [what, alike] of Map.groupBy(told, (one) => one.what)) {
    const [first] = alike;
    if (what === undefined || first === undefined) continue;
    const hosts = { sessionId, hostnames: alike.map(({ hostname }) => hostname) };
    const isDrain = first.event.kind === 'drain';
    await changeHosts(tx, hosts, { ...stepOfHost(waiting, first.event), ...(isDrain && { drainStartedAt: now }) });
    if (isDrain) await noteFirstDrains(tx, hosts, now);
    for (const host of hosts.hostnames) logFact(services, tx, { what, sessionId, host });
  }
  await setHostsAside(services, facts, decision.setAside);
  await letHostsGo(services, facts, decision.gone);
};

const waiting = { phase: 'waiting' } as const;

const givenBackSince = {
  deadlock: 'host to be given back: nothing else can go on',
  time: 'host to be given back: its maintenance would not end within the window, or an owner has put its drain off',
} as const;

const facts: Partial<Record<HostEvent['kind'], string>> = {
  drain: 'host begun: to be drained',
  maintain: 'host empty: to be maintained',
};

/** Undefined for those whose step depends on the host. */
const factOf = (event: HostEvent): string | undefined =>
  event.kind === 'giveBack' ? givenBackSince[event.because] : facts[event.kind];

/**
 * A window that ends before an answer comes withdraws the question. The silence counts all the same, else the host
 * would be drained and given back in every window.
 */
const countLateAnswers = async (
  { tx, session, expected, now }: DecisionFacts,
  { giveBackForTime = [] }: Decision,
): Promise<void> => {
  if (expected === undefined || giveBackForTime.length === 0) return;
  const about = { sessionId: session.id, hostnames: giveBackForTime, status: 'open' } as const;
  const late = (await findQuestions(tx, about)).filter((question) => isLate(question, expected, now.getTime()));
  await countAsSilence(
    tx,
    late.map(({ id }) => id),
  );
};

const newClaims = ({ session, fleet, constraintsAt }: DecisionFacts, { admit }: Decision): NewClaim[] => {
  const instanceOf = new Map(fleet.instances.map((instance) => [instance.id, instance]));
  const index = { groupByKey: new Map(fleet.groups.map((group) => [group.key, group])) };
  // A project that is asked about the whole host has answered before the claim exists.
  return admit.flatMap((admission) => {
    const instance = instanceOf.get(admission.instanceId);
    if (instance === undefined) return [];
    const { id: instanceId, name: instanceName, projectId } = instance;
    const granted = grantedTo(instance, session.id, admission);
    const recoveryTime = recoverySecondsOf(limitsOf(index, granted));
    const grant = { recoveryTime, constraintsAt: constraintsAt.get(instanceId) ?? null };
    const { furtherLimitKeys = [] } = granted;
    return [{ ...granted, id: randomUUID(), instanceName, projectId, furtherLimitKeys, ...grant }];
  });
};

/** Asks in the claims' transaction, so that an instance is asked when, and only when, it counts as impacted. */
const askAbout = async (
  services: Pick<Services, 'cloud' | 'drafts' | 'limits' | 'logger'>,
  { tx, session, fleet }: DecisionFacts,
  claims: readonly NewClaim[],
): Promise<void> => {
  const instanceOf = new Map(fleet.instances.map((instance) => [instance.id, instance]));
  const asked = claims.filter(({ phase }) => phase === 'asked');
  const askings = asked.map((claim) => {
    const instance = instanceOf.get(claim.instanceId);
    return {
      claim,
      state: askedState(session),
      windowSeconds: replyWindowOfInstance(instance ?? {}, services.limits.projectReplySeconds),
      cannotMove: instance && whyByProject(instance),
    };
  });
  await askInstances(services, tx, { session, askings });
};

const noteDrainOrder = async ({ tx, session }: DecisionFacts, { drainOrder }: Decision): Promise<void> => {
  if (drainOrder !== undefined) await recordDrainOrder(tx, session.id, drainOrder);
};

const hostsUnderWork = (
  { session, hosts, claims, now }: DecisionFacts,
  decision: Decision,
  added: readonly NewClaim[],
): readonly HostOrdersDigest[] => {
  const active = [...claims, ...added].filter(
    ({ sessionId, phase }) => sessionId === session.id && (phase === 'asked' || phase === 'moving'),
  );
  const activeOn = Map.groupBy(active, ({ source }) => source);
  const isAttended = ({ attendedUntil }: SessionHostRecord): boolean => attendedUntil !== null && attendedUntil > now;
  const own = hosts.filter((host) => host.sessionId === session.id);
  const phaseOf = phasesAfter(decision, own);
  return own
    .filter((host) => !isAttended(host))
    .map(({ hostname, phase }) => ({ hostname, phase: phaseOf.get(hostname) ?? phase }))
    .filter(isPhaseUnderWork)
    .map(({ hostname, phase }) => {
      const ids = (activeOn.get(hostname) ?? []).map(({ id }) => id);
      const held = session.pausedAt === null ? [] : ['paused'];
      return { hostname, phase, orders: [phase, ...held, ...(ids.length === 0 ? [] : [digestOf(ids)])].join(' ') };
    });
};

const phasesAfter = (decision: Decision, own: readonly SessionHostRecord[]): ReadonlyMap<string, HostPhase> => {
  const before = new Map(own.map((host) => [host.hostname, host]));
  return new Map(
    hostEventsOf(decision).flatMap(({ hostname, event }) => {
      const host = before.get(hostname);
      return host === undefined ? [] : [[hostname, stepOfHost(host, event).phase]];
    }),
  );
};

/** Short, because it goes into the session's history at every decision. */
const digestOf = (claimIds: readonly string[]): string =>
  createHash('sha256')
    .update([...claimIds].sort().join())
    .digest('base64url')
    .slice(0, 12);
