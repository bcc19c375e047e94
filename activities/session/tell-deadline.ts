/** Tells once that a session will not be over at its deadline, or was not: in its row, as an event and in the log. */
import type { Transaction } from '../../prisma/database';
import { findFreezes } from '../../prisma/session/freezes';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import type { ExpectedTimes } from '../../rules/expectations/expected-times';
import { deadlineMissIn } from '../../rules/steering/deadline-miss';
import type { FleetFacts } from '../../snapshot/read-fleet';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { tellSession } from './tell-session';

interface Looked {
  /** The locked row. */
  readonly session: SessionProgress;
  readonly now: Date;
  /** Left out: it is not known how much is left to do. */
  readonly fleet?: FleetFacts['fleet'];
  /** Left out: as where nothing was seen yet. */
  readonly expected?: ExpectedTimes;
}

type Telling = Pick<Services, 'drafts' | 'logger' | 'limits'>;

export const tellOfDeadline = async (services: Telling, tx: Transaction, looked: Looked): Promise<void> => {
  const { session, now, fleet, expected } = looked;
  const { id: sessionId, deadline, deadlineMissed, state } = session;
  if (deadline === null || deadlineMissed !== null) return;
  const replySeconds = services.limits.projectReplySeconds;
  const missed = deadlineMissIn(session, {
    nowMs: now.getTime(),
    freezes: await findFreezes(tx),
    replySeconds,
    ...(fleet && { fleet }),
    ...(expected && { expected }),
  });
  if (missed === undefined) return;
  await changeSession(tx, sessionId, { deadlineMissed: missed });
  await tellSession(services, tx, { sessionId, state, deadline: { at: deadline, missed } });
  logFact(services, tx, { what: `deadline missed, ${missed}`, level: 'warn', sessionId, deadline });
};
