/** The release of a host that a person works on: decided and written in one transaction. */
import { decideRelease, type Release } from '../../rules/holds/hold';
import { type Database, inTransaction, lockSession } from '../database';
import { findRequestedHost } from './host-requests';
import { changeHost, type HostRef, type SessionHostRecord } from './session-hosts';

export type ReleaseOutcome =
  | { readonly kind: 'unknownSession' | 'unknownHost' | 'notHeld' }
  | { readonly kind: 'accepted'; readonly isChange: boolean; readonly host: SessionHostRecord; readonly state: string };

export const recordRelease = (db: Database, ref: HostRef, release: Release): Promise<ReleaseOutcome> =>
  inTransaction(db, async (tx): Promise<ReleaseOutcome> => {
    await lockSession(tx, ref.sessionId);
    const session = await tx.session.findFirst({ where: { id: ref.sessionId, deletedAt: null } });
    if (session === null) return { kind: 'unknownSession' };
    const host = await findRequestedHost(tx, ref);
    if (host === null) return { kind: 'unknownHost' };
    const decision = decideRelease(host.hold, release);
    if (decision.kind === 'notHeld') return decision;
    if (decision.kind === 'change') await changeHost(tx, host, { hold: decision.hold });
    return { kind: 'accepted', isChange: decision.kind === 'change', host, state: session.state };
  });
