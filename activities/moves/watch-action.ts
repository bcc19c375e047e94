/** Starts a move, or attaches to it, and watches it until it is over, its limit has passed, or it cannot begin now. */
import {
  BlockedRefusal,
  type CloudDriver,
  CloudRefusal,
  type MoveStatus,
  type RunningMove,
  TargetRefusal,
} from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import { findSessionHost } from '../../prisma/hosts/session-hosts';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { findEviction } from '../../prisma/session/session-eviction';
import { findSessionProgress } from '../../prisma/session/session-progress';
import { isToBeAborted } from '../../rules/steering/may-begin';
import type { Services } from '../services';
import { sleep } from '../sleep';
import { cutOffAtMs } from './move-clock';
import { claimedMove } from './reconcile';
import { createHoldUpTeller } from './tell-hold-up';
import { openWait } from './wait-to-begin';
import type { GivenUpMove, MoveWatch, WatchedMove } from './watched-move';

/**
 * The milliseconds until the next look: soon for a new move, later for an older one, and never faster than the cloud
 * allows.
 */
const untilNextPoll = ({ leastMs, mostMs, shareOfElapsed }: CloudDriver['pollPace'], elapsedMs: number): number =>
  Math.min(mostMs, Math.max(leastMs, elapsedMs * shareOfElapsed));

/** A little later, when other moves of this process are observed too: one look at the cloud may serve all of them. */
const untilSharedPoll = ({ leastMs }: CloudDriver['pollPace'], milliseconds: number): number => {
  const nowMs = Date.now();
  return Math.ceil((nowMs + milliseconds) / leastMs) * leastMs - nowMs;
};

type WatchServices = Pick<Services, 'cloud' | 'db' | 'limits'>;

/** @returns 'running' when the limit of the move has passed, 'later' when it is not to be waited for any more */
export const watchAction = async (services: WatchServices, watch: MoveWatch): Promise<WatchedMove> => {
  const { db, cloud } = services;
  const { claim, start } = watch;
  const begin = async () => {
    const eviction = cloud.actions.hasEvictionOptions ? await findEviction(db, claim.sessionId) : null;
    return orWhatRefusalMeans(cloud, claim, cloud[start]({ ...claimedMove(claim), eviction }));
  };
  const begun = await untilBegun(services, watch, begin);
  return begun.status.kind === 'running' ? untilOver(services, watch, begun) : begun.status;
};

interface Begun {
  readonly status: MoveStatus;
  /** The time when it was asked for. */
  readonly since: Date;
}

/**
 * Starts the move again as long as the cloud says that it may begin later, and may be waited for. The time of its
 * beginning is recorded anew meanwhile, because limits and expected times count from there.
 */
const untilBegun = async (
  services: WatchServices,
  watch: MoveWatch,
  begin: () => Promise<MoveStatus>,
): Promise<Begun> => {
  const { db, cloud } = services;
  const { claim, start, limit } = watch;
  const sinceRecord = (start === 'forceMove' ? claim.forcedAt : claim.startedAt) ?? (await databaseNow(db));
  const first = await orFailedAtLimit(() => leftOf(db, cutOffAtMs(sinceRecord.getTime(), limit, {})))(begin);
  const wait = openWait(services, watch);
  let status = first;
  while (status.kind === 'later') {
    if (!(await wait.mayGoOn(status))) return { status, since: sinceRecord };
    // A worker that stops leaves the wait to another one.
    await sleep(cloud.pollPace.leastMs);
    status = await begin();
  }
  return { status, since: (await wait.end()) ?? sinceRecord };
};

const untilOver = async (services: WatchServices, { claim, limit }: MoveWatch, begun: Begun): Promise<WatchedMove> => {
  const { db, cloud } = services;
  const request = claimedMove(claim);
  let { status } = begun;
  let running: Omit<RunningMove, 'kind'> = {};
  const leftMs = () => leftOf(db, cutOffAtMs(begun.since.getTime(), limit, running));
  const observe = () => orFailedAtLimit(leftMs)(() => cloud.observeMove(request));
  const beganMs = Date.now();
  const holdUp = createHoldUpTeller(services, claim);
  while (status.kind === 'running') {
    running = status;
    const left = await leftMs();
    if (left <= 0) break;
    const givenUp = await giveUpIfDue(services, claim, status);
    if (givenUp !== undefined) return givenUp;
    await sleep(Math.min(left, untilSharedPoll(cloud.pollPace, untilNextPoll(cloud.pollPace, Date.now() - beganMs))));
    status = await observe();
    await holdUp.note(status);
  }
  return status;
};

/** Milliseconds until that time. */
const leftOf = async (db: Services['db'], atMs: number): Promise<number> => atMs - (await databaseNow(db)).getTime();

/**
 * An aborted session, and a host that goes back to use, wait for moves that Parley has begun. Nothing of Parley's is
 * under way during an own action, or while the cloud refuses a move: a refusal may last for hours.
 */
const giveUpIfDue = async (
  { db, cloud }: Pick<Services, 'db' | 'cloud'>,
  claim: ClaimRecord,
  { isRefusedForNow }: RunningMove,
): Promise<GivenUpMove | undefined> => {
  if (claim.action === 'OWN_ACTION') {
    const session = await findSessionProgress(db, claim.sessionId);
    const isOver = session === null || isToBeAborted(session);
    return isOver ? { kind: 'givenUp', because: 'its session was aborted or deleted' } : undefined;
  }
  if (isRefusedForNow !== true) return undefined;
  const host = await findSessionHost(db, { sessionId: claim.sessionId, hostname: claim.source });
  if (host?.phase !== 'releasing') return undefined;
  // The cloud may have accepted it in this very moment: then it is in flight, and is watched to its end.
  const { kind } = await cloud.abortMove(claimedMove(claim));
  return kind === 'failed' ? { kind: 'givenUp', because: 'its host goes back to use' } : undefined;
};

/** When the cloud does not answer it is asked again (the activity is retried), but not beyond the move's limit. */
const orFailedAtLimit =
  (leftMs: () => Promise<number>) =>
  async (ask: () => Promise<MoveStatus>): Promise<MoveStatus> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error) || (await leftMs()) > 0) throw error;
      return { kind: 'failed', reason: error.message };
    }
  };

/**
 * A refusal at once fails the move, in the cloud's words. But when the instance is gone or on another host by now, its
 * project or an operator was faster.
 */
const orWhatRefusalMeans = async (
  cloud: CloudDriver,
  { instanceId, source }: ClaimRecord,
  started: Promise<MoveStatus>,
): Promise<MoveStatus> => {
  try {
    return await started;
  } catch (error) {
    if (!(error instanceof CloudRefusal)) throw error;
    const instance = await cloud.findInstance(instanceId);
    if (instance === undefined) return { kind: 'gone' };
    if (instance.host !== source) return { kind: 'done', host: instance.host };
    if (error instanceof TargetRefusal) return refusedTarget(error);
    const { message: reason } = error;
    return { kind: 'failed', reason, ...(error instanceof BlockedRefusal && { isBlocked: true }) };
  }
};

const refusedTarget = ({ message: reason, passesInSeconds }: TargetRefusal): MoveStatus => ({
  kind: 'refused',
  reason,
  ...(passesInSeconds !== undefined && { passesInSeconds }),
});
