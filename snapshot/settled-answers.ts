/** Answers of projects, and what they let happen to the instances of a session. */
import type { Queryable } from '../prisma/database';
import type { SessionHostRecord } from '../prisma/hosts/session-hosts';
import { findExpiredOwnActions } from '../prisma/moves/claims';
import { findQuestions } from '../prisma/questions/question-rounds';
import type { SessionProgress } from '../prisma/session/session-progress';
import { keyOf } from '../rules/cloud/id';
import type { Action, Instance } from '../rules/decisions/fleet/fleet';
import type { ViewOfInstance } from '../rules/decisions/fleet/seen-through';
import { actionByAnswers, hasExpiredSince } from '../rules/questions/action-by-answer';
import type { FleetFacts } from './read-fleet';

export interface SessionOnFleet extends Pick<FleetFacts, 'fleet' | 'hosts'> {
  readonly session: Pick<SessionProgress, 'id' | 'state' | 'stateEnteredAt'>;
}

/** Refusals count from the time when the drain of the host started, or the state was entered again. */
export const askedSince = (
  { drainStartedAt }: Pick<SessionHostRecord, 'drainStartedAt'>,
  { stateEnteredAt }: Pick<SessionProgress, 'stateEnteredAt'>,
): Date => (drainStartedAt !== null && drainStartedAt > stateEnteredAt ? drainStartedAt : stateEnteredAt);

/**
 * Instances on the session's hosts whose question is settled, or about which nothing is asked, each with its action.
 */
export const readyInstances = async (
  db: Queryable,
  { session, fleet, hosts }: SessionOnFleet,
): Promise<ReadonlyMap<string, Action>> => {
  const emptying = new Set(
    fleet.hosts
      .filter(({ work }) => work?.sessionId === session.id && work.phase === 'emptying')
      .map(({ name }) => name),
  );
  const about = { sessionId: session.id, state: session.state, hostnames: [...emptying] };
  const questions = await findQuestions(db, about);
  const expired = await findExpiredOwnActions(db, session.id);
  const sinceOf = sinceOfHosts(session, hosts);
  const actionFor = (instance: Instance): [string, Action][] => {
    const about = questions.filter(({ hostname }) => hostname === instance.host);
    const asked = { questions: about, sinceMs: sinceOf(instance.host), expired: expired.get(keyOf(instance.id)) };
    const action = actionByAnswers({ instance, ...asked });
    return action === undefined ? [] : [[instance.id, action]];
  };
  return new Map(fleet.instances.filter(({ host }) => emptying.has(host)).flatMap(actionFor));
};

const sinceOfHosts = (session: SessionOnFleet['session'], hosts: readonly SessionHostRecord[]) => {
  const drainStartedAt = new Map(hosts.map((host) => [host.hostname, host.drainStartedAt]));
  return (hostname: string): number =>
    askedSince({ drainStartedAt: drainStartedAt.get(hostname) ?? null }, session).getTime();
};

/**
 * When a project did not carry out its own action, it is not asked again about that instance there: the default
 * behaviour follows, as after silence. Undefined: this happened to none.
 */
export const withoutExpiredQuestions = async (
  db: Queryable,
  { session, hosts }: Pick<SessionOnFleet, 'session' | 'hosts'>,
): Promise<ViewOfInstance | undefined> => {
  const expired = await findExpiredOwnActions(db, session.id);
  if (expired.size === 0) return undefined;
  const sinceOf = sinceOfHosts(session, hosts);
  return (instance) =>
    hasExpiredSince(expired.get(keyOf(instance.id)), instance, sinceOf(instance.host))
      ? { ...instance, leadTimeSeconds: 0 }
      : instance;
};
