/** A session's records in the words of the specification. */
import { shownUrl } from '../../plugins/addresses/shown-url';
import type {
  ActionPluginRecord,
  HostRecord,
  SessionHostDetail,
  SessionInstanceRecord,
} from '../../prisma/session/session-detail';
import type { SessionDownload } from '../../prisma/session/session-downloads';
import { failureOn } from '../../rules/words/failure-of-host';
import { namingProjects } from '../../rules/words/names';
import { percentDone } from '../../rules/words/percent-done';
import type { SessionDetailBody } from '../schemas/session-schemas';
import type { WaitingBody } from '../schemas/waiting-schema';
import { serializeSteering } from '../showing/serialize-steering';
import { type KnownOfWaits, waitingNow } from '../waiting/waiting-now';
import type { NamedDetail, NamedWhole } from './name-projects';
import { secondsUntil } from './seconds-until';

const datesOf = ({ createdAt, updatedAt }: { readonly createdAt: Date; readonly updatedAt: Date | null }) => ({
  created_at: createdAt.toISOString(),
  updated_at: updatedAt?.toISOString() ?? null,
});

const toDownload = (download: SessionDownload): SessionDetailBody['session']['downloads'][number] => ({
  url: shownUrl(download.url),
  state: download.state,
  bytes: download.bytes,
  size_bytes: download.sizeBytes,
  sha256: download.sha256,
  problem: download.problem,
});

const toSession = (
  { session, hosts, downloads, projectNames, now }: NamedWhole,
  waiting: SessionDetailBody['session']['waiting'],
): SessionDetailBody['session'] => ({
  workflow: session.workflow,
  ...datesOf(session),
  session_id: session.id,
  maintenance_at: session.maintenanceAt.toISOString(),
  start_seconds_left: secondsUntil(session.maintenanceAt, now),
  state: session.state,
  prev_state: session.prevState,
  meta: session.metadata as Record<string, unknown>,
  failure: session.failure && namingProjects(session.failure, projectNames),
  waiting,
  downloads: downloads.map(toDownload),
  resuming: session.resuming,
  paused_at: session.pausedAt?.toISOString() ?? null,
  paused_because: session.pausedBecause,
  aborting: session.aborting,
  deleting: session.deleting,
  ...serializeSteering(session.steering),
  deadline_seconds_left: secondsUntil(session.steering.deadline, now),
  deadline_missed: session.deadlineMissed,
  set_aside: hosts.filter(isLeftOut).map(({ hostname, failure, details }) => ({
    hostname,
    reason: namingProjects(failure ?? details, projectNames),
  })),
});

const isLeftOut = ({ phase }: SessionHostDetail): boolean => phase === 'set_aside' || phase === 'skipped';

const toInstance =
  (sessionId: string) =>
  (instance: SessionInstanceRecord): SessionDetailBody['instances'][number] => ({
    id: instance.id,
    instance_id: instance.instanceId,
    instance_name: instance.instanceName,
    project_id: instance.projectId,
    session_id: sessionId,
    host: instance.host,
    state: instance.state,
    action: instance.action,
    action_done: instance.actionDone,
    project_state: instance.projectState,
    details: instance.details,
    ...datesOf(instance),
  });

const toHost =
  ({ session, projectNames }: NamedWhole, reasonOf: ReadonlyMap<string, WaitingBody>) =>
  (host: SessionHostDetail): SessionDetailBody['hosts'][number] => ({
    id: host.id,
    hostname: host.hostname,
    session_id: session.id,
    type: host.type,
    phase: host.phase,
    phase_since: host.phaseSince.toISOString(),
    past_phases: toPastPhases(host.pastPhases),
    drain_started_at: host.drainStartedAt?.toISOString() ?? null,
    maintenance_started_at: host.maintainedFrom?.toISOString() ?? null,
    waiting: reasonOf.get(host.hostname) ?? null,
    disabled: host.disabled,
    maintained: host.maintained,
    details: detailsOf(host, projectNames),
    ...datesOf(host),
  });

export const toPastPhases = (pastPhases: SessionHostDetail['pastPhases']) =>
  pastPhases.map(({ phase, since }) => ({ phase, since: new Date(since).toISOString() }));

/** Why a host is not maintained, and what was found on it. */
export const detailsOf = (host: HostRecord, projectNames: NamedDetail['projectNames']): string =>
  namingProjects([whyIn(host), ...found(host)].filter((text) => text !== '').join('; '), projectNames);

/** A host that is given back has no details yet. */
const whyIn = ({ hostname, phase, details, failure, skipReason }: HostRecord): string =>
  details !== '' || phase === 'waiting' ? details : failureOn(hostname, failure ?? skipReason ?? '');

/** What is, or may be, on a host on which nothing should be. */
const found = ({ findings }: HostRecord): readonly string[] => [
  ...(findings?.doubts ?? []).map(({ because, help }) => `${because}; ${help}`),
  ...(findings?.guests ?? []).map(
    ({ instanceName, instanceId }) => `instance ${instanceName} (${instanceId}) came to it while it was out of use`,
  ),
];

type ShownPlugin = SessionDetailBody['action_plugin_instances'][number];

const toPlugin =
  (sessionId: string) =>
  (record: ActionPluginRecord): ShownPlugin => ({
    id: record.id,
    session_id: sessionId,
    hostname: record.hostname,
    plugin: record.plugin,
    state: record.state,
    ...datesOf(record),
    // The columns hold values that the engine wrote.
    type: record.type as ShownPlugin['type'],
    status: record.status as ShownPlugin['status'],
    attempts: record.attempts,
  });

export const serializeSessionDetail = (detail: NamedWhole, known: KnownOfWaits): SessionDetailBody => {
  const { session, hosts, instances, plugins } = detail;
  const waiting = waitingNow(detail, known, 'one');
  return {
    session_id: session.id,
    state: session.state,
    percent_done: percentDone({
      maintained: hosts.filter(({ maintained }) => maintained).length,
      total: hosts.length,
    }),
    session: toSession(detail, waiting),
    instances: instances.map(toInstance(session.id)),
    hosts: hosts.map(toHost(detail, new Map(waiting.map((reason) => [reason.who, reason])))),
    action_plugin_instances: plugins.map(toPlugin(session.id)),
  };
};
