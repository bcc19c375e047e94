/** Enters a state: writes it, its entry point and its event, unless the session has to wait or to ask again first. */
import { Context } from '@temporalio/activity';
import { workflowPlugins } from '../../plugins/workflows/registry';
import { databaseNow, type Transaction } from '../../prisma/database';
import { disownHosts, findSessionHosts } from '../../prisma/hosts/session-hosts';
import { findSessionProjects } from '../../prisma/hosts/session-instances';
import { lockProjectQuestions } from '../../prisma/questions/question-rounds';
import { findEntryPoint, recordEntryPoint } from '../../prisma/session/entry-points';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { isUnsettled } from '../../rules/questions/negotiation';
import { logFact, secondsBetween } from '../log-facts';
import type { Reconciling } from '../moves/reconcile';
import { goOnInState } from '../questions/end-questions';
import { inSession } from './run-in-force';
import { tellSession } from './tell-session';

export interface StateEntry {
  readonly sessionId: string;
  readonly state: string;
  /** ID of the running WORKFLOW_TASK_STARTED event. */
  readonly eventId: number;
  /** True when the session has asked its projects in the state that it leaves, and continues with their answers. */
  readonly restsOnAnswers?: boolean;
}

/** A project has refused since then what it had accepted: it must be asked again before the session continues. */
const unsettled = 'unsettled';

/** The session is not done before these hosts, which are given back, have been enabled again. */
export interface StillReleasing {
  readonly releasing: readonly string[];
}

/** The reason why the state was not entered. */
export type NotEntered = typeof unsettled | StillReleasing;

/** Writes state, entry point and event, once for each time that the workflow enters the state. */
export const enterState = async (services: Reconciling, entry: StateEntry): Promise<NotEntered | undefined> => {
  const { sessionId, state } = entry;
  return inSession(services, entry, async (tx, session) => {
    if (await isEntered(tx, session, entry)) return undefined;
    if (entry.restsOnAnswers === true && (await isUnsettledIn(tx, session))) return unsettled;
    if (state === 'MAINTENANCE_COMPLETE' && (await isRetryingIn(tx, session))) return unsettled;
    const releasing = state === 'MAINTENANCE_DONE' ? await findReleasing(tx, sessionId) : [];
    if (releasing.length > 0) return { releasing };
    const prevState = session.state === state ? session.prevState : session.state;
    const now = await databaseNow(tx);
    await changeSession(tx, sessionId, { state, prevState, stateEnteredAt: now });
    const secondsBefore = secondsBetween(session.stateEnteredAt, now);
    logFact(services, tx, { what: 'state entered', sessionId, state, prevState, secondsBefore });
    await goOnInState(services, tx, entry);
    await recordEntryPoint(tx, sessionId, { ...pointOf(entry), isSetUp: false });
    await tellSession(services, tx, { sessionId, state });
    if (state === 'MAINTENANCE_DONE') await letGo(tx, sessionId);
    return undefined;
  });
};

/** Hosts that are being enabled again: once the session is done, nobody would see to them. */
const findReleasing = async (tx: Transaction, sessionId: string): Promise<readonly string[]> => {
  const hosts = await findSessionHosts(tx, sessionId);
  return hosts.filter(({ phase }) => phase === 'releasing').map(({ hostname }) => hostname);
};

/** A session that is done owns no hosts and has nothing to pause. */
const letGo = async (tx: Transaction, sessionId: string): Promise<void> => {
  await disownHosts(tx, sessionId);
  await changeSession(tx, sessionId, { pausedAt: null, pausedBecause: null });
};

const callingRunId = (): string => Context.current().info.workflowExecution?.runId ?? '';

export const pointOf = ({ state, eventId }: StateEntry) => ({ state, eventId, runId: callingRunId() });

/** A repeat of the same activity; a later entry of the same state has another event. */
const isEntered = async (
  tx: Transaction,
  session: SessionProgress,
  { state, eventId }: StateEntry,
): Promise<boolean> => {
  const point = await findEntryPoint(tx, session.id, state);
  return session.state === state && point?.runId === callingRunId() && point.eventId === eventId;
};

/**
 * True when a host was retried after the decision that all hosts are over. Asks only built-in workflows, since others
 * may end their work on hosts whenever they like.
 */
const isRetryingIn = async (tx: Transaction, { id, state, workflow }: SessionProgress): Promise<boolean> => {
  const isRolling = state === 'PLANNED_MAINTENANCE' || state === 'START_MAINTENANCE';
  if (!isRolling || !workflowPlugins.has(workflow)) return false;
  return (await findSessionHosts(tx, id)).some((host) => !isDone(host));
};

/** The answers are locked: a new answer is seen here, or comes when the session has continued. */
const isUnsettledIn = async (tx: Transaction, { id: sessionId, state }: SessionProgress): Promise<boolean> => {
  const questions = await lockProjectQuestions(tx, { sessionId, state });
  return isUnsettled(questions, await findSessionProjects(tx, sessionId));
};
