/** An admin's pause, resume and abort, and what a session has begun since. */
import type { Database } from '../../../prisma/database';
import { findInFlight } from '../../../prisma/session/session-in-flight';
import type { SessionRequest } from '../../../rules/requests/session-request';
import { eventually } from '../../waiting/eventually';
import type { Admin } from '../rig/admin';
import { endReplyWindows } from '../rig/reply-windows';
import type { Rig } from '../rig/rig';

export interface InFlightReply {
  readonly state: string;
  readonly paused_at: string | null;
  readonly aborting: boolean;
  readonly taken_up: boolean;
  readonly in_flight: {
    readonly hosts: readonly { readonly hostname: string; readonly phase: string }[];
    readonly instances: readonly Readonly<Record<string, unknown>>[];
    readonly questions: readonly Readonly<Record<string, unknown>>[];
    readonly plugins: readonly Readonly<Record<string, unknown>>[];
  };
}

export const request = async (admin: Admin, sessionId: string, what: SessionRequest): Promise<InFlightReply> => {
  const { status, body } = await admin.call('POST', `/maintenance/${sessionId}/${what}`);
  if (status !== 200) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
  return body as InFlightReply;
};

/** Its story is told: nothing more of the session begins, and the stories beside it have the machine to themselves. */
export const leave = (admin: Admin, sessionId: string): Promise<InFlightReply> => request(admin, sessionId, 'pause');

/**
 * The beginnings after this time, from the records and the cloud's own log. A forced move continues an earlier
 * beginning, and so does one whose beginning was recorded before its worker died.
 */
export const begunSince = async (db: Database, sessionId: string, since: Date): Promise<Record<string, unknown[]>> => {
  const after = { gt: since };
  const claims = await db.claim.findMany({
    where: { sessionId },
    select: { id: true, createdAt: true, startedAt: true },
  });
  const isBegunBefore = ({ startedAt }: (typeof claims)[number]) => startedAt !== null && startedAt <= since;
  const ids = claims.filter((claim) => !isBegunBefore(claim)).map(({ id }) => id);
  return {
    questions: await db.question.findMany({ where: { sessionId, createdAt: after } }),
    grants: claims.filter(({ createdAt }) => createdAt > since),
    moves: await db.simMove.findMany({ where: { claimId: { in: ids }, forced: false, startedAt: after } }),
    opened: await db.sessionHost.findMany({ where: { sessionId, drainStartedAt: after } }),
    announced: await db.sessionHost.findMany({ where: { sessionId, announcedAt: after } }),
    plugins: await db.actionPluginInstance.findMany({ where: { sessionId, hostname: '', createdAt: after } }),
  };
};

export const nothing = { questions: [], grants: [], moves: [], opened: [], announced: [], plugins: [] };

interface Paused {
  readonly rig: Rig;
  readonly db: Database;
  readonly admin: Admin;
}

interface HowItEnds {
  /** Nobody answers the questions: the windows end as soon as the pause has begun. */
  readonly isSilent?: boolean;
  /** Lets end what the test has held until the pause had begun. It is called at each look. */
  readonly letEnd?: () => unknown;
}

/** Every part of the session looks at the facts once more, as after a lost wake-up. */
const wakeAll = async ({ services, db }: Rig, sessionId: string): Promise<void> => {
  const underWork = { sessionId, phase: { in: ['emptying', 'maintaining', 'releasing'] } };
  await services.workflowCalls.wakeSession(sessionId);
  for (const { hostname } of await db.sessionHost.findMany({ where: underWork })) {
    await services.workflowCalls.wakeHost(sessionId, hostname);
  }
};

/** Until what a pause lets go on has come to its end; questions end with an answer or with their windows. */
const untilNothingIsInFlight = (
  { rig, db }: Paused,
  sessionId: string,
  { isSilent = false, letEnd }: HowItEnds,
): Promise<true> =>
  eventually(`nothing of session ${sessionId} is in flight`, async () => {
    if (isSilent) await endReplyWindows(rig, sessionId);
    await letEnd?.();
    const { hosts, moves, questions, plugins } = (await findInFlight(db, sessionId))!;
    const isMaintained = hosts.every(({ phase }) => phase === 'emptying');
    return (isMaintained && moves.length + questions.length + plugins.length === 0) || undefined;
  });

/** Pauses the session, lets what is in flight end, has everything look again, and sees that nothing was begun. */
export const pauseAndSee = async (
  paused: Paused,
  sessionId: string,
  howItEnds: HowItEnds = {},
): Promise<InFlightReply> => {
  const { rig, db, admin } = paused;
  const reply = await request(admin, sessionId, 'pause');
  const { state, paused_at } = reply;
  if (paused_at === null) throw new Error('it is not paused');
  const since = new Date(paused_at);
  await untilNothingIsInFlight(paused, sessionId, howItEnds);
  await wakeAll(rig, sessionId);
  await untilLookedAgain(rig, sessionId);
  expect(await begunSince(db, sessionId, since)).toEqual(nothing);
  const detail = await admin.detail(sessionId);
  expect(detail).toMatchObject({ state, session: { paused_at } });
  return reply;
};

/** Its history tells that the wake-up was taken, and that whatever was to be done about it is done. */
const untilLookedAgain = async ({ client }: Rig, sessionId: string): Promise<void> => {
  const lengthOf = async () => (await client.workflow.getHandle(sessionId).describe()).historyLength;
  let last = await lengthOf();
  await eventually(`session ${sessionId} is quiet`, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const now = await lengthOf();
    const isQuiet = now === last;
    last = now;
    return isQuiet || undefined;
  });
};

/** The reasons for which the hosts and instances of the session wait. */
export const waitingOf = async (admin: Admin, sessionId: string): Promise<ReadonlyMap<string, string>> => {
  const { session } = await admin.detail(sessionId);
  return new Map(session.waiting.map(({ who, waiting_for }) => [who, waiting_for]));
};
