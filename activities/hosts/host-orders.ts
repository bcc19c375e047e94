/** Finds the next orders for a host's workflow: asks the questions that are due about the host, then reads its row. */
import { databaseNow, type Queryable, type Transaction } from '../../prisma/database';
import { changeHost, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { type ClaimRecord, findActiveClaims } from '../../prisma/moves/claims';
import { mayBeginIn } from '../../prisma/session/may-begin';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import type { CloudInstance } from '../../rules/cloud/cloud-facts';
import { seenIn } from '../../rules/cloud/seen-in-session';
import { asksInstances } from '../../rules/decisions/both-workflows/built-in-workflow';
import { longestWaitMs, untilNextLook, untilTriedAgainMs } from '../../rules/decisions/look-again';
import { untilDueMs } from '../../rules/holds/hold';
import type { ReplyVerdict } from '../../rules/questions/reply-policy';
import { mayBegin } from '../../rules/steering/may-begin';
import { stepOfHost } from '../../rules/steps/host-step';
import { pauseForReply, skipForReply } from '../questions/act-on-verdict';
import { askUntilQuiet } from '../questions/ask';
import { askAboutHost, type HostAsking } from '../questions/ask-about-host';
import { followAskedInstances, untilAskedAreDue } from '../questions/follow-asked-instances';
import type { Services } from '../services';
import { inHost, takeOverHost } from '../session/run-in-force';
import { disableForWork } from './host-switch';
import { noteDepartures } from './note-departures';

export interface HostOrders {
  readonly kind: 'over' | 'empty' | 'maintain' | 'enable' | 'release';
  /** The reason why the host failed, if it has. */
  readonly failure?: string;
  /** Claims to carry out, whatever the kind of orders. */
  readonly actions: readonly string[];
  /** True when the session should look, because a question was settled. */
  readonly report: boolean;
  readonly lookAgainMs: number;
}

/** Asks the questions that are due about the host, and returns its next orders. */
export const tendHost = async (services: Services, ref: HostRef): Promise<HostOrders> => {
  const { orders, settledSome } = await askUntilQuiet(services, ref.sessionId, () => ordersNow(services, ref));
  return { ...orders, report: orders.report || settledSome };
};

interface OrdersNow {
  readonly orders: HostOrders;
  readonly unasked: boolean;
  /** Something was settled, a question or by others: the session has to know, and there may be more to settle. */
  readonly closed: boolean;
}

const ordersNow = async (services: Services, ref: HostRef): Promise<OrdersNow> => {
  const host = await takeOverHost(services, ref);
  const kind = orderOf(host);
  // This run may have started late, when the work had ended and begun again: then nobody has disabled the host yet.
  if (kind === 'empty' && !host.disabled) await disableForWork(services, ref);
  if (kind !== 'empty') {
    return quietOrders(host, await untilTriedAgain(services, host), await workFor(services, host));
  }
  const listed = await services.cloud.listInstancesLately(ref.hostname);
  const work = await findWorkOn(services.db, ref);
  const instances = listed.map((instance) => seenIn(work.session?.eviction ?? null, instance));
  const departures = await noteDepartures(services, ref, { instances, ...work });
  const quietMs = await quietUntil(services, instances, work);
  const { orders, closed, ...now } = await (quietMs === undefined
    ? negotiateNow(services, ref, instances)
    : quietOrders(host, quietMs, work));
  const lookAgainMs = Math.min(orders.lookAgainMs, departures.lookAgainMs);
  return { ...now, closed: closed || departures.hasSome, orders: { ...orders, lookAgainMs } };
};

/** The session and the open claims of a host. Each look reads them once. `mayBegin`: the session may begin work now. */
interface WorkOnHost {
  readonly session: SessionProgress | null;
  readonly claims: readonly ClaimRecord[];
  readonly now: Date;
  readonly mayBegin: boolean;
}

const findWorkOn = async (db: Queryable, { sessionId, hostname }: HostRef): Promise<WorkOnHost> => {
  const session = await findSessionProgress(db, sessionId);
  const claims = await findActiveClaims(db, { sessionId, source: hostname });
  const now = await databaseNow(db);
  return { session, claims, now, mayBegin: session !== null && mayBegin(session, now) };
};

/** Undefined when the work on the host is over, and nobody needs to know. */
const workFor = async ({ db }: Pick<Services, 'db'>, host: SessionHostRecord): Promise<WorkOnHost | undefined> =>
  orderOf(host) === 'over' ? undefined : findWorkOn(db, host);

/** Most looks find nothing to settle: they only read, and nobody waits for them. */
const quietOrders = (host: SessionHostRecord, lookAgainMs: number, work: WorkOnHost | undefined): OrdersNow => {
  const kind = orderOf(host);
  const actions = kind === 'over' || work === undefined ? [] : grantedActions(work, kind);
  return { unasked: false, closed: false, orders: { kind, ...failureIn(host), actions, report: false, lookAgainMs } };
};

/**
 * The time for which nothing has to be asked or settled about the host; undefined: there may be something to do now.
 */
const quietUntil = async (
  services: Pick<Services, 'db' | 'limits'>,
  instances: readonly CloudInstance[],
  { session, claims, now }: WorkOnHost,
): Promise<number | undefined> =>
  session !== null && asksInstances(session) ? untilAskedAreDue(services, { claims, instances, now }) : undefined;

const negotiateNow = async (
  services: Services,
  ref: HostRef,
  instances: readonly CloudInstance[],
): Promise<OrdersNow> => {
  return inHost(services, ref, async (tx, host) => {
    const kind = orderOf(host);
    const step = kind === 'empty' ? await negotiate({ services, tx, host, instances }) : undefined;
    const given = { unasked: false, closed: false, ...step };
    if (step?.verdict) return { ...given, orders: await actOn(services, tx, { host, verdict: step.verdict }) };
    // Read last, so that a question which was just settled has its action begin at once.
    const actions = kind === 'over' ? [] : grantedActions(await findWorkOn(tx, ref), kind);
    const lookAgainMs = step?.lookAgainMs ?? longestWaitMs;
    return { ...given, orders: { kind, ...failureIn(host), actions, report: false, lookAgainMs } };
  });
};

const failureIn = ({ failure }: SessionHostRecord): Pick<HostOrders, 'failure'> =>
  failure === null ? {} : { failure };

interface Negotiated {
  readonly unasked: boolean;
  readonly closed?: boolean;
  readonly verdict?: ReplyVerdict;
  readonly lookAgainMs: number;
}

/** Undefined when nobody is asked about the host. */
const negotiate = async (asking: HostAsking): Promise<Negotiated | undefined> => {
  const session = await findSessionProgress(asking.tx, asking.host.sessionId);
  if (session === null) return undefined;
  return asksInstances(session) ? followAskedInstances(asking, session) : askAboutHost(asking, session);
};

/**
 * A host whose maintenance cannot go on, for what is on it or because it is not up, is tried again soon. One on which
 * a person works is looked at when its hold is due. While plug-ins run, its workflow does not look.
 */
const untilTriedAgain = async ({ db }: Pick<Services, 'db'>, host: SessionHostRecord): Promise<number> => {
  const { phase, enablingAt, phaseSince, sessionId, hold } = host;
  if (hold !== null) return untilNextLook([untilDueMs(hold, (await databaseNow(db)).getTime())]);
  if (phase !== 'maintaining' || !(await mayBeginIn(db, sessionId))) return longestWaitMs;
  return untilTriedAgainMs((await databaseNow(db)).getTime() - (enablingAt ?? phaseSince).getTime());
};

const orderOf = ({ phase, enablingAt }: SessionHostRecord): HostOrders['kind'] => {
  switch (phase) {
    case 'emptying':
      return 'empty';
    case 'maintaining':
      return enablingAt === null ? 'maintain' : 'enable';
    case 'releasing':
      return 'release';
    case 'waiting':
    case 'maintained':
    case 'failed':
    case 'set_aside':
    case 'skipped':
      return 'over';
  }
};

/**
 * Claims to carry out. While the host is given back or the session is paused, only those whose action has begun: they
 * come to their end.
 */
const grantedActions = ({ claims, ...work }: WorkOnHost, kind: HostOrders['kind']): string[] => {
  const moving = claims.filter(({ phase }) => phase === 'moving');
  const granted = kind !== 'release' && work.mayBegin ? moving : moving.filter(({ startedAt }) => startedAt !== null);
  return granted.map(({ id }) => id);
};

const actOn = async (
  services: Pick<Services, 'logger'>,
  tx: Transaction,
  { host, verdict: { kind, because } }: { readonly host: SessionHostRecord; readonly verdict: ReplyVerdict },
): Promise<HostOrders> => {
  if (kind === 'fail') return giveUp(tx, host, because);
  if (kind === 'pause') {
    await pauseForReply(services, tx, { sessionId: host.sessionId, because });
    return { kind: 'empty', actions: [], report: true, lookAgainMs: longestWaitMs };
  }
  await skipForReply(services, tx, { host, because });
  return { kind: 'release', actions: [], report: true, lookAgainMs: 1 };
};

/** A project that refuses fails the host: its running actions end, then it is given back. */
const giveUp = async (tx: Transaction, host: SessionHostRecord, refusal: string): Promise<HostOrders> => {
  const failure = `host ${host.hostname}: ${refusal}`;
  await changeHost(tx, host, stepOfHost(host, { kind: 'fail', failure }));
  return { kind: 'release', failure, actions: [], report: true, lookAgainMs: 1 };
};
