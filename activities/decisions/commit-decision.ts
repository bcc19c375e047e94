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
import { changeSession, recordDrainOrder } from '../../prisma/session/session-progress';
import type { Decision } from '../../rules/decisions/decision';
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import { phaseGone } from '../../rules/decisions/fleet/gone-hosts';
import { phaseSetAside } from '../../rules/decisions/fleet/set-aside-or-fail';
import { limitsOf, recoverySecondsOf } from '../../rules/decisions/limits/limits-of-instance';
import { isLate } from '../../rules/questions/late-answer';
import { replyWindowOfInstance } from '../../rules/questions/reply-window';
import { letHostsGo } from '../hosts/gone-hosts';
import { setHostsAside } from '../hosts/set-hosts-aside';
import { logFact } from '../log-facts';
import { askedState, askInstances } from '../questions/ask-instances';
import type { Services } from '../services';
import type { DecisionFacts } from './decide';
import { noteWaiting } from './note-waiting';

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
  await changePhases(services, facts, decision);
  await countLateAnswers(facts, decision);
  await setHostsAside(services, facts, decision.setAside);
  await letHostsGo(services, facts, decision.gone);
  await askAbout(services, facts, claims);
  await insertClaims(tx, claims, now);
  await storeReservations(tx, session.id, decision.reserve ?? []);
  await dropReservations(tx, session.id, decision.unreserve ?? []);
  await noteDrainOrder(facts, decision);
  if (decision.canaryEnded) await endCanary(services, facts, decision.canaryEnded);
  await noteWaiting(facts, decision.waiting);
  return hostsUnderWork(facts, decision, claims);
};

const endCanary = async (
  services: Services,
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

const changePhases = async (
  services: Services,
  { tx, session, now }: DecisionFacts,
  { drain, begin, giveBackForDeadlock, giveBackForWindow = [] }: Decision,
): Promise<void> => {
  const tell = (what: string) => (host: string) => logFact(services, tx, { what, sessionId: session.id, host });
  drain.forEach(tell('host begun: to be drained'));
  begin.forEach(tell('host empty: to be maintained'));
  giveBackForDeadlock.forEach(tell('host to be given back: nothing else can go on'));
  giveBackForWindow.forEach(tell('host to be given back: its maintenance would not end within the maintenance window'));
  const hosts = (hostnames: readonly string[]) => ({ sessionId: session.id, hostnames });
  await changeHosts(tx, hosts(drain), { phase: 'emptying', drainStartedAt: now });
  await noteFirstDrains(tx, hosts(drain), now);
  await changeHosts(tx, hosts(begin), { phase: 'maintaining' });
  await changeHosts(tx, hosts(giveBackForDeadlock), { phase: 'releasing', releases: { increment: 1 } });
  await changeHosts(tx, hosts(giveBackForWindow), { phase: 'releasing' });
};

/**
 * A window that ends before an answer comes withdraws the question. The silence counts all the same, else the host
 * would be drained and given back in every window.
 */
const countLateAnswers = async (
  { tx, session, expected, now }: DecisionFacts,
  { giveBackForWindow = [] }: Decision,
): Promise<void> => {
  if (expected === undefined || giveBackForWindow.length === 0) return;
  const questions = await findQuestions(tx, { sessionId: session.id });
  const late = questions.filter(({ hostname, status, ...question }) => {
    const isOpen = status === 'open' && hostname !== undefined && giveBackForWindow.includes(hostname);
    return isOpen && isLate(question, expected, now.getTime());
  });
  await countAsSilence(
    tx,
    late.map(({ id }) => id),
  );
};

const newClaims = ({ session, fleet, constraintsAt }: DecisionFacts, { admit }: Decision): NewClaim[] => {
  const instanceOf = new Map(fleet.instances.map((instance) => [instance.id, instance]));
  const index = { groupByKey: new Map(fleet.groups.map((group) => [group.key, group])) };
  // A project that is asked about the whole host has answered before the claim exists.
  return admit.flatMap(({ kind, instanceId, groupKey, furtherLimitKeys = [], source, target, action }) => {
    const instance = instanceOf.get(instanceId);
    if (instance === undefined) return [];
    const { name: instanceName, projectId, amounts } = instance;
    const recoveryTime = recoverySecondsOf(limitsOf(index, { groupKey, furtherLimitKeys }));
    const grant = { source, target, action, recoveryTime, constraintsAt: constraintsAt.get(instanceId) ?? null };
    const phase = kind === 'ask' ? 'asked' : 'moving';
    const who = { sessionId: session.id, instanceId, instanceName, projectId, amounts };
    return [{ id: randomUUID(), ...who, groupKey, furtherLimitKeys, ...grant, phase }];
  });
};

/** Asks in the claims' transaction, so that an instance is asked when, and only when, it counts as impacted. */
const askAbout = async (
  services: Services,
  { tx, session, fleet }: DecisionFacts,
  claims: readonly NewClaim[],
): Promise<void> => {
  const instanceOf = new Map(fleet.instances.map((instance) => [instance.id, instance]));
  const asked = claims.filter(({ phase }) => phase === 'asked');
  const askings = asked.map((claim) => ({
    claim,
    state: askedState(session),
    windowSeconds: replyWindowOfInstance(instanceOf.get(claim.instanceId) ?? {}, services.limits.projectReplySeconds),
    cannotMove: instanceOf.get(claim.instanceId)?.cannotMove,
  }));
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
  const phaseOf = phasesAfter(decision, hosts);
  const active = [...claims, ...added].filter(
    ({ sessionId, phase }) => sessionId === session.id && (phase === 'asked' || phase === 'moving'),
  );
  const activeOn = Map.groupBy(active, ({ source }) => source);
  const isAttended = ({ attendedUntil }: SessionHostRecord): boolean => attendedUntil !== null && attendedUntil > now;
  const own = hosts.filter((host) => host.sessionId === session.id && !isAttended(host));
  return own
    .map(({ hostname, phase }) => ({ hostname, phase: phaseOf.get(hostname) ?? phase }))
    .filter(isPhaseUnderWork)
    .map(({ hostname, phase }) => {
      const ids = (activeOn.get(hostname) ?? []).map(({ id }) => id);
      const held = session.pausedAt === null ? [] : ['paused'];
      return { hostname, phase, orders: [phase, ...held, ...(ids.length === 0 ? [] : [digestOf(ids)])].join(' ') };
    });
};

const phasesAfter = (
  { drain, begin, giveBackForDeadlock, setAside = [], gone = [], giveBackForWindow = [] }: Decision,
  hosts: readonly SessionHostRecord[],
): ReadonlyMap<string, HostPhase> =>
  new Map<string, HostPhase>([
    ...setAside.flatMap(({ hostname }) =>
      hosts.filter((host) => host.hostname === hostname).map((host) => [hostname, phaseSetAside(host)] as const),
    ),
    ...hosts.filter(({ hostname }) => gone.includes(hostname)).map((host) => [host.hostname, phaseGone(host)] as const),
    ...drain.map((name) => [name, 'emptying'] as const),
    ...begin.map((name) => [name, 'maintaining'] as const),
    ...[...giveBackForDeadlock, ...giveBackForWindow].map((name) => [name, 'releasing'] as const),
  ]);

/** Short, because it goes into the session's history at every decision. */
const digestOf = (claimIds: readonly string[]): string =>
  createHash('sha256')
    .update([...claimIds].sort().join())
    .digest('base64url')
    .slice(0, 12);
