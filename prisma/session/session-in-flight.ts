/** Everything of a session that is in flight: a pause lets it end, and an abort waits for it. */
import { Prisma } from '@prisma/client';
import type { Database } from '../database';
import type { ClaimRecord } from '../moves/claims';
import type { AwaitedQuestion } from '../questions/open-questions';

export interface InFlight {
  readonly state: string;
  readonly pausedAt: Date | null;
  readonly aborting: boolean;
  /** The names of hosts under work. */
  readonly hosts: readonly { readonly hostname: string; readonly phase: PhaseUnderWork }[];
  /** Instances whose action has begun. */
  readonly moves: readonly MoveInFlight[];
  readonly questions: readonly QuestionInFlight[];
  readonly plugins: readonly { readonly hostname: string; readonly plugin: string; readonly type: string }[];
  /** The database's time of this snapshot. */
  readonly now: Date;
}

export interface MoveInFlight extends Pick<
  ClaimRecord,
  'instanceId' | 'instanceName' | 'projectId' | 'source' | 'target'
> {
  readonly action: string;
}

export type QuestionInFlight = Pick<AwaitedQuestion, 'projectId' | 'instanceId' | 'hostname' | 'state' | 'replyAt'>;

const phasesUnderWork = ['emptying', 'maintaining', 'releasing'] as const;
type PhaseUnderWork = (typeof phasesUnderWork)[number];

const toHost = ({ hostname, phase }: { readonly hostname: string; readonly phase: string }) =>
  phasesUnderWork.filter((one) => one === phase).map((known) => ({ hostname, phase: known }));

const move = {
  instanceId: true,
  instanceName: true,
  projectId: true,
  action: true,
  source: true,
  target: true,
} as const;
const question = { projectId: true, instanceId: true, hostname: true, state: true, replyAt: true } as const;

/** Read in one snapshot; undefined when the session does not exist. */
export const findInFlight = async (db: Database, sessionId: string): Promise<InFlight | undefined> => {
  const where = { sessionId };
  const [session, hosts, moves, questions, running, clock] = await db.$transaction(
    [
      db.session.findFirst({ where: { id: sessionId, deletedAt: null } }),
      db.sessionHost.findMany({
        where: { ...where, phase: { in: [...phasesUnderWork] } },
        select: { hostname: true, phase: true },
        orderBy: { hostname: 'asc' },
      }),
      db.claim.findMany({
        where: { ...where, phase: 'moving', startedAt: { not: null } },
        select: move,
        orderBy: [{ source: 'asc' }, { instanceName: 'asc' }],
      }),
      db.question.findMany({ where: { ...where, status: 'open' }, select: question, orderBy: { createdAt: 'asc' } }),
      db.actionPluginInstance.findMany({
        where: { ...where, status: 'running' },
        select: { hostname: true, plugin: true, type: true },
        orderBy: [{ hostname: 'asc' }, { position: 'asc' }],
      }),
      db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`,
    ],
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
  );
  if (session === null) return undefined;
  const { state, pausedAt } = session;
  const isOver = state === 'MAINTENANCE_FAILED' || state === 'MAINTENANCE_DONE';
  const underWork = new Set(hosts.map(({ hostname }) => hostname));
  // A plug-in that an abort cancelled has no recorded end, but the work on its host, or of its session, has.
  const plugins = running.filter(({ hostname }) => (hostname === '' ? !isOver : underWork.has(hostname)));
  const aborting = !isOver && session.abortRequestedAt !== null;
  const now = clock[0]?.now ?? new Date();
  return { state, pausedAt, aborting, hosts: hosts.flatMap(toHost), moves, questions, plugins, now };
};
