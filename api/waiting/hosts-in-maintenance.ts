/**
 * The reasons of hosts in maintenance on which no plug-in runs: something may be on them, or they are not up yet. Hosts
 * that are given back wait until the work of their plug-ins has ended.
 */
import type { HostRecord, SessionDetail } from '../../prisma/session/session-detail';
import { doubtReason } from '../../rules/steering/held-by-cloud';
import type { WaitingReason } from './name-waiting';
import { reasonUntil } from './reasons';

export const reasonsInMaintenance = (detail: SessionDetail, known: ReadonlySet<string>): WaitingReason[] =>
  detail.hosts
    .filter(({ hostname, phase }) => (phase === 'maintaining' || phase === 'releasing') && !known.has(hostname))
    .flatMap((host) => ofDoubt(detail, host) ?? ofStart(detail, host) ?? []);

const ofDoubt = (detail: SessionDetail, { hostname, findings }: HostRecord): WaitingReason | undefined => {
  const [doubt] = findings?.doubts ?? [];
  if (doubt === undefined) return undefined;
  const { waitingFor: waiting_for, who, subject, because } = doubtReason(hostname, doubt);
  return reasonUntil(detail, { waiting_for, who, subject, because }, undefined);
};

const ofStart = (detail: SessionDetail, { hostname, phase, enablingAt }: HostRecord): WaitingReason | undefined => {
  if (enablingAt === null || phase !== 'maintaining') return undefined;
  const { hostStartSeconds } = detail.session.steering;
  const untilMs = hostStartSeconds === null ? undefined : enablingAt.getTime() + hostStartSeconds * 1000;
  return reasonUntil(detail, { waiting_for: 'start', who: hostname, subject: hostname, since: enablingAt }, untilMs);
};
