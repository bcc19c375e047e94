/** The work on one host: what its workflow has to do next, disabling, maintaining, giving back. */
import { appendEvent } from '../events/outbox';
import { longestWaitMs } from '../planning/look-again';
import { asksInstances } from '../planning/rolling/ways-of-rolling';
import { findActiveClaims, isAnythingOnItsWayTo } from '../prisma/claims';
import { databaseNow, type Queryable, type Transaction } from '../prisma/database';
import { findFinishedPlugins } from '../prisma/plugin-records';
import { changeHost, findSessionHost, type HostRef, type SessionHostRecord } from '../prisma/session-hosts';
import { findSessionProgress, findWorkflow, mayBeginIn, type SessionAction } from '../prisma/session-progress';
import { askUntilQuiet } from './ask';
import { goOnFromHost, withdrawQuestions } from './end-questions';
import { askAboutHost, type HostAsking } from './ask-about-host';
import { tendAskedInstances, untilAskedAreDue } from './ask-instances';
import { endAction } from './end-action';
import { afterWork, disableForWork, enableAfterWork, settleHosts } from './host-switch';
import { logFact, secondsBetween } from './log-facts';
import { inHost, takeOverHost } from './run-in-force';
import type { Services } from './services';
import { tellSession } from './tell-session';
import { wakeOthers } from './wake-others';

/**
 * What a host's workflow does next. actions: claims to carry out, whichever kind it is. report: the session should
 * look, since a question was settled. failure: why the host failed, where it has.
 */
export interface HostOrders {
  readonly kind: 'over' | 'empty' | 'maintain' | 'release';
  readonly failure?: string;
  readonly actions: readonly string[];
  readonly report: boolean;
  readonly lookAgainMs: number;
}

export const createHostActivities = (services: Services) => ({
  disableHost: (ref: HostRef): Promise<void> => disableForWork(services, ref),

  /** Asks about the host what is due, and says what its workflow does next. */
  async tendHost(ref: HostRef): Promise<HostOrders> {
    const { orders, settledSome } = await askUntilQuiet(services, ref.sessionId, () => tendOnce(services, ref));
    return { ...orders, report: orders.report || settledSome };
  },

  /** @returns false when something is on the host after all, or the session is paused: its orders say what to do. */
  async beginMaintenance(ref: HostRef): Promise<boolean> {
    // Nothing may come to it from here on, also where it was enabled against what is on record.
    await settleHosts(services, ref.hostname);
    const instances = await services.cloud.listInstances(ref.hostname);
    return inHost(services, ref, async (tx, host) => {
      if (host.phase !== 'maintaining') return false;
      if (host.announcedAt === null && !(await mayBeginIn(tx, ref.sessionId))) return false;
      if (instances.length > 0 || (await isAnythingOnItsWayTo(tx, ref.hostname))) {
        await changeHost(tx, ref, { phase: 'emptying' });
        logFact(services, tx, { what: 'host not empty after all: to be emptied', ...namesOf(ref) });
        return false;
      }
      // Projects that were asked about instances that are gone must be free to be asked about other hosts.
      await goOnFromHost(services, tx, ref);
      if (host.announcedAt === null) await announce(services, tx, ref);
      return true;
    });
  },

  /** Positions, in the session's list of actions, of the plug-ins still to run: by type as listed, then by name. */
  async listPlugins({ sessionId, hostname, types }: HostRef & PluginTypes): Promise<number[]> {
    const session = await findSessionProgress(services.db, sessionId);
    const host = await findSessionHost(services.db, { sessionId, hostname });
    const finished = await findFinishedPlugins(services.db, { sessionId, hostname });
    const runs = (type: SessionAction['type']): boolean =>
      host === null || type === 'host' || (type === 'compute' ? host.isCompute : host.type === type);
    return inOrder(session?.actions ?? [], types.filter(runs)).filter((position) => !finished.has(position));
  },

  async finishMaintenance(ref: HostRef): Promise<void> {
    const keptBy = await enableAfterWork(services, ref);
    await inHost(services, ref, async (tx, host) => {
      if (host.phase === 'maintained') return;
      const now = await databaseNow(tx);
      const left = afterWork(host, { now, keptBy });
      await changeHost(tx, ref, { ...left, phase: 'maintained', maintained: true, announcedAt: null });
      const tookSeconds = secondsBetween(host.openedAt, now);
      logFact(services, tx, { what: 'host maintained', ...namesOf(ref), ...leftAs(keptBy), tookSeconds });
      await announceBack(services, tx, ref);
    });
    await wakeOthers(services, ref.sessionId, { kind: 'host', hostname: ref.hostname });
  },

  /** The host goes back to use, unmaintained: nothing moves on it any more. */
  async giveBackHost(ref: HostRef): Promise<void> {
    const keptBy = await enableAfterWork(services, ref);
    await inHost(services, ref, async (tx, host) => {
      if (host.phase !== 'releasing') return;
      // All at once and first: questions are locked before claims, in their order (docs/design/facts.md, Locks).
      await withdrawQuestions(services, tx, ref);
      for (const claim of await findActiveClaims(tx, { sessionId: ref.sessionId, source: ref.hostname })) {
        await endAction(services, tx, { claim, end: { outcome: 'dropped' } });
      }
      const given =
        host.failure === null ? { phase: 'waiting' as const } : { phase: 'failed' as const, details: host.failure };
      const now = await databaseNow(tx);
      const left = afterWork(host, { now, keptBy });
      await changeHost(tx, ref, { ...left, ...given, announcedAt: null });
      const end = { reason: host.failure, ...leftAs(keptBy), tookSeconds: secondsBetween(host.openedAt, now) };
      logFact(services, tx, { what: 'host given back', ...namesOf(ref), ...end });
      if (host.announcedAt !== null) await announceBack(services, tx, ref);
    });
    await wakeOthers(services, ref.sessionId, { kind: 'host', hostname: ref.hostname });
  },

  /**
   * Something on the host failed. One being emptied is given back, and so is one that an abort gives back while it is
   * maintained; any other in maintenance may be broken: it stays disabled. isLast: it could not be given back.
   */
  failHost: (ref: HostRef & { readonly reason: string; readonly isLast?: boolean }): Promise<void> =>
    inHost(services, ref, async (tx, host) => {
      const failure = ref.reason.includes(ref.hostname) ? ref.reason : `host ${ref.hostname}: ${ref.reason}`;
      if (host.phase === 'waiting' || host.phase === 'maintained') return;
      if (ref.isLast !== true) {
        if (host.failure === failure) return; // a repeat
        if (isStillToBeGivenBack(host)) {
          logFact(services, tx, {
            what: 'host failed, to be given back',
            level: 'warn',
            ...namesOf(ref),
            reason: failure,
          });
          return changeHost(tx, ref, { phase: 'releasing', failure });
        }
      }
      const reason = host.failure ?? failure;
      const details = host.disabled ? `left disabled: ${reason}` : reason;
      await changeHost(tx, ref, { phase: 'failed', failure: reason, details });
      if (host.phase === 'failed') return;
      const tookSeconds = secondsBetween(host.openedAt, await databaseNow(tx));
      logFact(services, tx, { what: 'host failed', level: 'warn', ...namesOf(ref), reason: details, tookSeconds });
    }),
});

export type HostActivities = ReturnType<typeof createHostActivities>;

const namesOf = ({ sessionId, hostname }: HostRef) => ({ sessionId, host: hostname });

/** It is in use again, unless somebody else keeps it disabled. */
const leftAs = (keptBy: string | undefined) => ({ enabled: keptBy === undefined });

const isStillToBeGivenBack = ({ phase, failure }: SessionHostRecord): boolean =>
  phase === 'emptying' || (phase === 'releasing' && failure === null);

interface PluginTypes {
  readonly types: readonly SessionAction['type'][];
}

const inOrder = (actions: readonly SessionAction[], types: readonly string[]): number[] =>
  types.flatMap((type) =>
    actions
      .map((action, position) => ({ ...action, position }))
      .filter((action) => action.type === type)
      .sort((one, other) => (one.plugin < other.plugin ? -1 : Number(one.plugin > other.plugin)))
      .map(({ position }) => position),
  );

interface Tended {
  readonly orders: HostOrders;
  readonly unasked: boolean;
  readonly closed: boolean;
}

/** Most looks find nothing to settle: they only read, and nobody waits for them. */
const tendOnce = async (services: Services, ref: HostRef): Promise<Tended> => {
  await takeOverHost(services, ref);
  const host = await findSessionHost(services.db, ref);
  const kind = host === null ? 'over' : orderOf(host);
  const lookAgainMs = kind === 'empty' ? await quietUntil(services, ref) : longestWaitMs;
  if (lookAgainMs === undefined) return negotiateNow(services, ref);
  const actions = kind === 'over' ? [] : await grantedActions(services.db, ref, kind);
  const orders = { kind, ...failureIn(host), actions, report: false, lookAgainMs };
  return { unasked: false, closed: false, orders };
};

/** How long nothing has to be asked or settled about the host; undefined: there may be something to do now. */
const quietUntil = async (services: Services, ref: HostRef): Promise<number | undefined> => {
  const workflow = await findWorkflow(services.db, ref.sessionId);
  return workflow !== null && asksInstances(workflow) ? untilAskedAreDue(services, ref) : undefined;
};

const negotiateNow = async (services: Services, ref: HostRef): Promise<Tended> => {
  const instances = await services.cloud.listInstancesLately(ref.hostname);
  return inHost(services, ref, async (tx, host) => {
    const kind = orderOf(host);
    const step = kind === 'empty' ? await negotiate({ services, tx, host, instances }) : undefined;
    const given = { unasked: false, closed: false, ...step };
    if (step?.refusal !== undefined) return { ...given, orders: await giveUp(tx, host, step.refusal) };
    // Looked up last: what was settled just now begins at once.
    const actions = kind === 'over' ? [] : await grantedActions(tx, ref, kind);
    const lookAgainMs = step?.lookAgainMs ?? longestWaitMs;
    return { ...given, orders: { kind, ...failureIn(host), actions, report: false, lookAgainMs } };
  });
};

const failureIn = (host: SessionHostRecord | null): Pick<HostOrders, 'failure'> =>
  host === null || host.failure === null ? {} : { failure: host.failure };

interface Negotiated {
  readonly unasked: boolean;
  readonly closed?: boolean;
  readonly refusal?: string;
  readonly lookAgainMs: number;
}

/** Undefined where nobody is asked about the host. */
const negotiate = async (asking: HostAsking): Promise<Negotiated | undefined> => {
  const session = await findSessionProgress(asking.tx, asking.host.sessionId);
  if (session === null) return undefined;
  return asksInstances(session) ? tendAskedInstances(asking, session) : askAboutHost(asking, session);
};

const orderOf = ({ phase }: SessionHostRecord): HostOrders['kind'] => {
  switch (phase) {
    case 'emptying':
      return 'empty';
    case 'maintaining':
      return 'maintain';
    case 'releasing':
      return 'release';
    case 'waiting':
    case 'maintained':
    case 'failed':
      return 'over';
  }
};

/**
 * Claims to carry out; while the host is released or the session paused only those that have begun: they come to their
 * end.
 */
const grantedActions = async (db: Queryable, ref: HostRef, kind: HostOrders['kind']): Promise<string[]> => {
  const claims = await findActiveClaims(db, { sessionId: ref.sessionId, source: ref.hostname });
  const startsNew = kind !== 'release' && (await mayBeginIn(db, ref.sessionId));
  return claims
    .filter(({ phase }) => phase === 'moving')
    .filter(({ startedAt }) => startsNew || startedAt !== null)
    .map(({ id }) => id);
};

/** A project that refuses fails the host: what has begun on it ends, then it is given back. */
const giveUp = async (tx: Transaction, host: SessionHostRecord, refusal: string): Promise<HostOrders> => {
  const failure = `host ${host.hostname}: ${refusal}`;
  await changeHost(tx, host, { phase: 'releasing', failure });
  return { kind: 'release', failure, actions: [], report: true, lookAgainMs: 1 };
};

const announce = async (services: Services, tx: Transaction, { sessionId, hostname }: HostRef): Promise<void> => {
  await changeHost(tx, { sessionId, hostname }, { announcedAt: await databaseNow(tx) });
  await appendEvent(tx, services.drafts.host({ sessionId, state: 'IN_MAINTENANCE', host: hostname }));
  await tellSession(services, tx, { sessionId, state: 'IN_MAINTENANCE' });
  logFact(services, tx, { what: 'host in maintenance', sessionId, host: hostname });
};

/** maintenance.host, and maintenance.session with the session's state, when a host leaves maintenance. */
const announceBack = async (services: Services, tx: Transaction, { sessionId, hostname }: HostRef): Promise<void> => {
  await appendEvent(tx, services.drafts.host({ sessionId, state: 'MAINTENANCE_COMPLETE', host: hostname }));
  const session = await findSessionProgress(tx, sessionId);
  if (session !== null) await tellSession(services, tx, { sessionId, state: session.state });
};
