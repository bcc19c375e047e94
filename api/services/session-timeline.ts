/** Tells the hosts of a session over time. A page asks for thousands of hosts at once, again and again. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import type { HostRecord } from '../../prisma/session/session-detail';
import { findSessionTimeline, type HostPast } from '../../prisma/session/session-look';
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { SessionTimelineBody } from '../schemas/timeline-schemas';
import type { WaitingBody } from '../schemas/waiting-schema';
import { type NamedDetail, withProjectNames } from '../showing/name-projects';
import { detailsOf, toPastPhases } from '../showing/serialize-session';
import { serializeSteering } from '../showing/serialize-steering';
import { isPresent } from '../waiting/hosts-that-wait';
import type { AskingAgain } from '../waiting/questions-asked';
import { waitingNow } from '../waiting/waiting-now';
import type { Summaries } from './summaries';

export interface TimelineDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly settings: AskingAgain;
  readonly summaries: Pick<Summaries, 'turnsIn'>;
}

export interface SeenTimeline {
  readonly body: SessionTimelineBody;
  /** The moment from which its countdowns count. */
  readonly now: Date;
}

export type SessionTimelineOf = (sessionId: string) => Promise<SeenTimeline>;

/** @throws ApiError 404 */
export const createSessionTimeline =
  ({ db, cloud, settings, summaries }: TimelineDeps): SessionTimelineOf =>
  async (sessionId) => {
    const found = await findSessionTimeline(db, sessionId);
    if (found === undefined) throw sessionNotFound(sessionId);
    const detail = await withProjectNames(cloud, found.detail);
    const { session, hosts, projectNames, now } = detail;
    const waiting = waitingNow(detail, { ...settings, turns: await summaries.turnsIn(detail) }, 'one');
    const toHost = asShown({
      projectNames,
      pasts: found.pasts,
      reasons: new Map(waiting.map((one) => [one.who, one])),
    });
    const body = {
      session_id: sessionId,
      session: { workflow: session.workflow, ...serializeSteering(session.steering) },
      hosts: hosts.map(toHost),
      instances: onHostsUnderWork(detail).map(({ host, instanceName }) => ({ host, instance_name: instanceName })),
    };
    return { body, now };
  };

const underWork: ReadonlySet<HostPhase> = new Set(['emptying', 'maintaining', 'releasing']);

const onHostsUnderWork = ({ hosts, instances }: NamedDetail): NamedDetail['instances'] => {
  const names = new Set(hosts.filter(({ phase }) => underWork.has(phase)).map(({ hostname }) => hostname));
  return instances.filter((instance) => isPresent(instance) && names.has(instance.host));
};

interface KnownOfHosts extends Pick<NamedDetail, 'projectNames'> {
  readonly pasts: ReadonlyMap<string, HostPast>;
  readonly reasons: ReadonlyMap<string, WaitingBody>;
}

const noPast: HostPast = { pastPhases: [], drainStartedAt: null };

const asShown =
  ({ projectNames, pasts, reasons }: KnownOfHosts) =>
  (host: HostRecord): SessionTimelineBody['hosts'][number] => {
    const { hostname, type, phase, phaseSince, disabled } = host;
    const { pastPhases, drainStartedAt } = pasts.get(hostname) ?? noPast;
    return {
      hostname,
      type,
      phase,
      phase_since: phaseSince.toISOString(),
      past_phases: toPastPhases(pastPhases),
      drain_started_at: drainStartedAt?.toISOString() ?? null,
      waiting: reasons.get(hostname) ?? null,
      disabled,
      details: detailsOf(host, projectNames),
    };
  };
