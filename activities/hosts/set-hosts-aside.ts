/** Writes down that a session goes on without hosts that have failed, and tells it. */
import type { Transaction } from '../../prisma/database';
import { changeHost, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { SetAside } from '../../rules/decisions/fleet/set-aside-or-fail';
import { stepOfHost } from '../../rules/steps/host-step';
import { failureOn } from '../../rules/words/failure-of-host';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { tellSession } from '../session/tell-session';

interface SettingAside {
  readonly tx: Transaction;
  readonly session: Pick<SessionProgress, 'id' | 'state'>;
  /** The session's among others. */
  readonly hosts: readonly SessionHostRecord[];
}

export const setHostsAside = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  setting: SettingAside,
  setAside: readonly SetAside[] = [],
): Promise<void> => {
  const failureOf = new Map(setAside.map(({ hostname, failure }) => [hostname, failure]));
  const own = setting.hosts.filter(({ sessionId }) => sessionId === setting.session.id);
  for (const host of own) {
    const failure = failureOf.get(host.hostname);
    if (failure !== undefined) await setOneAside(services, setting, { host, failure });
  }
};

const setOneAside = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  { tx, session }: SettingAside,
  { host, failure }: { readonly host: SessionHostRecord; readonly failure: string },
): Promise<void> => {
  const { id: sessionId, state } = session;
  const told = { level: 'warn', sessionId, host: host.hostname, reason: failure } as const;
  const step = stepOfHost(host, { kind: 'setAside', failure });
  if (step.phase === 'releasing') {
    await changeHost(tx, host, step);
    logFact(services, tx, { what: 'host failed, to be given back', ...told });
    return;
  }
  const isLeft = host.disabled && host.disabledBefore !== true;
  const details = `set aside${isLeft ? ', left disabled' : ''}: ${failureOn(host.hostname, failure)}`;
  await changeHost(tx, host, { ...step, details });
  const help = 'repair it, then retry the host (parley hosts retry)';
  logFact(services, tx, { what: 'host set aside', ...told, help });
  await tellSession(services, tx, { sessionId, state });
};
