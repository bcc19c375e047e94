/** The recorded facts of a session, and the rules that must hold for them however often it failed and continued. */
import { WorkflowFailedError } from '@temporalio/client';
import { eventually } from '../../waiting/eventually';
import type { Rig } from '../rig/rig';

export interface SessionFacts {
  /** Runs of each plug-in so far: `<host>/<position> <status>` to attempts. */
  readonly plugins: ReadonlyMap<string, { readonly attempts: number; readonly status: string }>;
  /** Moves that came through in the cloud's own log, `<instance> from <host>`. */
  readonly movesDone: readonly string[];
  /** Answered with ACK: `<state> <host> <project> <instances>`. */
  readonly acknowledged: readonly string[];
  readonly asked: readonly string[];
  readonly maintained: readonly string[];
  readonly announced: readonly string[];
  readonly percents: readonly number[];
  /** States as they were told, without IN_MAINTENANCE and repeats on hosts that are done. */
  readonly states: readonly string[];
  readonly entered: readonly string[];
}

export const factsOf = async ({ db }: Rig, sessionId: string): Promise<SessionFacts> => {
  const plugins = await db.actionPluginInstance.findMany({ where: { sessionId } });
  const claims = await db.claim.findMany({ where: { sessionId } });
  const moves = await db.simMove.findMany({
    where: { claimId: { in: claims.map(({ id }) => id) } },
    orderBy: { startedAt: 'asc' },
  });
  const questions = await db.question.findMany({ where: { sessionId }, orderBy: { createdAt: 'asc' } });
  const hosts = await db.sessionHost.findMany({ where: { sessionId, maintained: true } });
  const events = await db.event.findMany({ where: { sessionId }, orderBy: { seq: 'asc' } });
  const entries = await db.entryPoint.findMany({ where: { sessionId }, orderBy: { enteredAt: 'asc' } });
  const told = events.map(({ eventType, payload }) => ({ eventType, ...(payload as Record<string, unknown>) }));
  const toldOf = (type: string) => told.filter(({ eventType }) => eventType === type) as Record<string, unknown>[];
  const inWords = ({ state, hostname, projectId, instanceIds }: (typeof questions)[number]) =>
    `${state} ${hostname ?? ''} ${projectId} ${JSON.stringify(instanceIds)}`;
  return {
    plugins: new Map(
      plugins.map(({ hostname, position, attempts, status }) => [`${hostname}/${position}`, { attempts, status }]),
    ),
    movesDone: moves
      .filter(({ status }) => status === 'done')
      .map(({ instanceId, source }) => `${instanceId} from ${source}`),
    asked: questions.map(inWords),
    acknowledged: questions.filter(({ answer }) => answer === 'ACK').map(inWords),
    maintained: hosts.map(({ hostname }) => hostname),
    announced: toldOf('maintenance.host')
      .filter(({ state }) => state === 'IN_MAINTENANCE')
      .map(({ host }) => String(host)),
    percents: toldOf('maintenance.session').map((event) => Number(event['percent_done'])),
    states: toldOf('maintenance.session')
      .map(({ state }) => String(state))
      .filter((state) => state !== 'IN_MAINTENANCE')
      .filter((state, n, all) => state !== all[n - 1]),
    entered: entries.map(({ state }) => state),
  };
};

/** Until it was told to have failed for the second time. Before, it may still be called failed for the first. */
export const untilFailedAgain = (rig: Rig, sessionId: string): Promise<true> =>
  eventually('it has failed again', async () => {
    const { states } = await factsOf(rig, sessionId);
    return states.filter((state) => state === 'MAINTENANCE_FAILED').length === 2 || undefined;
  });

const countOf = (items: readonly string[]) =>
  items.reduce((counts, item) => counts.set(item, (counts.get(item) ?? 0) + 1), new Map<string, number>());

const doubled = (items: readonly string[]): string[] =>
  [...countOf(items)].filter(([, count]) => count > 1).map(([item]) => item);

/** Checks that no finished work of before the failure is repeated after it or undone. */
export const expectWorkDoneToStay = (before: SessionFacts, after: SessionFacts): void => {
  const finished = [...before.plugins].filter(([, { status }]) => status === 'done');
  expect(finished.map(([key]) => [key, after.plugins.get(key)])).toEqual(finished);
  expect(doubled(after.movesDone)).toEqual([]);
  expect(after.maintained).toEqual(expect.arrayContaining([...before.maintained]));
  const announcedAgain = doubled(after.announced).filter((host) => before.maintained.includes(host));
  expect(announcedAgain).toEqual([]);
  const askedLater = after.asked.slice(before.asked.length);
  expect(askedLater.filter((question) => before.acknowledged.includes(question))).toEqual([]);
  expect(after.percents).toEqual(after.percents.toSorted((one, other) => one - other));
};

/** Every host that is not under work may be used again; the session says which ones are not. */
export const hostsLeftDisabled = async ({ db }: Rig, hostnames: readonly string[]): Promise<string[]> => {
  const hosts = await db.simHost.findMany({ where: { name: { in: [...hostnames] }, disabled: true } });
  return hosts.map(({ name }) => name).sort();
};

/** The failed workflow's reason as Temporal shows it on top. */
export const failureInTemporal = async ({ client }: Rig, sessionId: string): Promise<string | undefined> => {
  try {
    await client.workflow.getHandle(sessionId).result();
    return undefined;
  } catch (error) {
    if (error instanceof WorkflowFailedError) return error.cause?.message;
    throw error;
  }
};

/** The reason in the event of the session's last failure. */
export const failureEvent = async ({ db }: Rig, sessionId: string): Promise<Record<string, unknown>> => {
  const event = await db.event.findFirstOrThrow({
    where: { sessionId, payload: { path: ['state'], equals: 'MAINTENANCE_FAILED' } },
    orderBy: { seq: 'desc' },
  });
  return event.payload as Record<string, unknown>;
};
