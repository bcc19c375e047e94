/**
 * The three event types of the specification, and those for what is coming and for the acts of people, as drafts for
 * the outbox. Each draft has all fields of the specification's tables, under the same names. Its number and the time of
 * recording are added later, and so are the times of a question (reply-times.ts).
 */
import { randomUUID } from 'node:crypto';
import type { ComingChange, ToldComing } from '../rules/coming/worth-telling';
import type { OwnerHours } from '../rules/owner-times/hours-ahead';
import type { EventPayload } from './envelope';

export type EventType =
  'maintenance.host' | 'maintenance.session' | 'maintenance.planned' | 'maintenance.coming' | 'maintenance.act';

export interface EventDraft {
  readonly sessionId: string;
  readonly eventType: EventType;
  /** Identity of the event: an event that is appended twice is recorded once. */
  readonly messageId: string;
  /** The project that may read the event; null: only admins may. */
  readonly projectId: string | null;
  readonly payload: EventPayload;
}

/** A host goes under maintenance, or is back in service (event type maintenance.host). */
export interface HostNotice {
  readonly sessionId: string;
  readonly state: 'IN_MAINTENANCE' | 'MAINTENANCE_COMPLETE';
  /** Host name. */
  readonly host: string;
}

/** The progress of a session (event type maintenance.session). */
export interface SessionNotice {
  readonly sessionId: string;
  /** The session's state, or IN_MAINTENANCE when a host enters maintenance. */
  readonly state: string;
  /** Percent of the session's hosts that are maintained, an integer. */
  readonly percentDone: number;
  /** Hosts that it goes on without, and why; of many the first ones are told. Left out: none. */
  readonly setAside?: readonly { readonly hostname: string; readonly reason: string }[];
  /** Told once: the session must be over then, and is not expected to be, or was not. */
  readonly deadline?: { readonly at: Date; readonly missed: 'expected' | 'passed' };
  /** Instances that came to a host on which nothing should be; of many the first ones are told. */
  readonly came?: { readonly host: string; readonly instanceIds: readonly string[] };
  /** A host on which a person works, until it is released; told at the beginning, and as a reminder. */
  readonly held?: { readonly host: string; readonly task: string; readonly since: Date };
  /** The state from which a failed session continues when it is resumed, and the reason of the failure. */
  readonly failed?: { readonly prevState: string; readonly failure: string };
}

/** A question or a notice to a project (event type maintenance.planned). */
export interface PlannedNotice {
  readonly sessionId: string;
  /** The affected project. */
  readonly projectId: string;
  /** Makes the reply URL specific to this instance. */
  readonly instanceId?: string | undefined;
  /** A session state, or INSTANCE_ACTION_DONE, INSTANCE_ACTION_FAILED or INSTANCE_ACTION_FALLBACK. */
  readonly state: string;
  /** A link (`projectListUrl`), one instance ID, a list of IDs, or '' (rules for instance_ids). */
  readonly instanceIds: string | readonly string[];
  /** Empty when the state offers no choice. */
  readonly allowedActions: readonly string[];
  /** The session's hint to projects. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Why an action failed or fell back, or what is wrong with an instance that has moved. Left out: nothing is. */
  readonly reason?: string | undefined;
  /** Set when nobody waits for a reply, because the project's terms have answered the question. */
  readonly answeredBy?: 'terms';
  /** The latest time until which the project may put the work off; left out: it may not. */
  readonly notBeforeLatest?: Date | undefined;
  /** How far the session keeps the hours of owners, and why; left out: it keeps them. */
  readonly ownerHours?: OwnerHours & { readonly because: string | null };
  /** The question's deadline. Left out when the notice is not a question. */
  readonly messageId?: string | undefined;
}

/** What is coming for instances of one project (event type maintenance.coming, an addition). Nobody replies to it. */
export interface ComingNotice {
  readonly sessionId: string;
  /** The reason for the session, in the words of an admin; null: none is given. */
  readonly reason: string | null;
  /** At least one. */
  readonly coming: readonly { readonly word: ToldComing; readonly change: ComingChange }[];
}

/** A request of an admin in a session, such as a pause (event type maintenance.act, an addition). Admins are told. */
export interface ActNotice {
  readonly sessionId: string;
  readonly by: 'admin';
  /** The person or the token; null: nobody has a name. */
  readonly who: string | null;
  /** In words that follow the name, such as `paused the session`. */
  readonly did: string;
  /** In the words of whoever did it; null: none was given. */
  readonly reason: string | null;
}

/** Event data is short; the detail lists all of them. */
const mostTold = 20;

export interface EventDraftSettings {
  /** The service's short name in lower case. */
  readonly serviceName: string;
  /** The ID that admin events carry as `project_id`. */
  readonly adminProjectId: string;
  /** The address at which projects reach the API, without /v1. */
  readonly baseUrl: string;
}

export interface EventDrafts {
  host(notice: HostNotice): EventDraft;
  session(notice: SessionNotice): EventDraft;
  planned(notice: PlannedNotice): EventDraft;
  coming(notice: ComingNotice): EventDraft;
  act(notice: ActNotice): EventDraft;
  /** The project's list of instances: the value of `instance_ids` in project-wide states. */
  projectListUrl(sessionId: string, projectId: string): string;
}

export const createEventDrafts = (settings: EventDraftSettings): EventDrafts => ({
  projectListUrl: (sessionId, projectId) => projectListUrl(settings, sessionId, projectId),
  host: ({ sessionId, state, host }) => adminDraft(settings, 'maintenance.host', { sessionId, facts: { state, host } }),
  session: (notice) =>
    adminDraft(settings, 'maintenance.session', { sessionId: notice.sessionId, facts: factsOfSession(notice) }),
  planned: (notice) => plannedDraft(settings, notice),
  coming: (notice) => comingDraft(settings, notice),
  act: (notice) => adminDraft(settings, 'maintenance.act', { sessionId: notice.sessionId, facts: factsOfAct(notice) }),
});

const projectListUrl = ({ baseUrl }: EventDraftSettings, sessionId: string, projectId: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/v1/maintenance/${sessionId}/${projectId}`;

interface AdminNotice {
  readonly sessionId: string;
  readonly facts: EventPayload;
}

const adminDraft = (
  { serviceName, adminProjectId }: EventDraftSettings,
  eventType: EventType,
  { sessionId, facts }: AdminNotice,
): EventDraft => ({
  sessionId,
  eventType,
  messageId: randomUUID(),
  projectId: null,
  payload: { service: serviceName, ...facts, session_id: sessionId, project_id: adminProjectId },
});

const factsOfSession = ({
  state,
  percentDone,
  setAside = [],
  deadline,
  came,
  held,
  failed,
}: SessionNotice): EventPayload => ({
  state,
  percent_done: percentDone,
  ...(setAside.length > 0 && {
    set_aside: setAside.slice(0, mostTold).map(({ hostname: host, reason }) => ({ host, reason })),
  }),
  ...(deadline && { deadline: deadline.at.toISOString(), deadline_missed: deadline.missed }),
  ...(came && { came: { host: came.host, instance_ids: came.instanceIds.slice(0, mostTold) } }),
  ...(held && { held: { host: held.host, task: held.task, since: held.since.toISOString() } }),
  ...(failed && { prev_state: failed.prevState, failure: failed.failure }),
});

/** Consumers that look at no type find a state that they know nothing about. */
const factsOfAct = ({ by, who, did, reason }: ActNotice): EventPayload => ({ state: 'ACT', by, who, did, reason });

const hoursNotKept = (given: NonNullable<PlannedNotice['ownerHours']>): EventPayload => ({
  owner_hours: given.mode === 'until' ? { until: given.until } : given.mode,
  ...(given.because !== null && { owner_hours_reason: given.because }),
});

const plannedDraft = (settings: EventDraftSettings, notice: PlannedNotice): EventDraft => ({
  sessionId: notice.sessionId,
  eventType: 'maintenance.planned',
  messageId: notice.messageId ?? randomUUID(),
  projectId: notice.projectId,
  payload: {
    service: settings.serviceName,
    allowed_actions: notice.allowedActions,
    instance_ids: notice.instanceIds,
    reply_url: replyUrl(settings, notice),
    state: notice.state,
    session_id: notice.sessionId,
    // The times of a question are stamped just before the question is sent (reply-times.ts). Other notices have no
    // times.
    reply_at: '',
    actions_at: '',
    ...(notice.notBeforeLatest && { not_before_latest: inSeconds(notice.notBeforeLatest) }),
    // The affected project's ID, not the admin's: consumers route by it (docs/design/events.md).
    project_id: notice.projectId,
    metadata: notice.metadata,
    ...(notice.reason !== undefined && { reason: notice.reason }),
    ...(notice.answeredBy && { answered_by: notice.answeredBy }),
    ...(notice.ownerHours && hoursNotKept(notice.ownerHours)),
  },
});

const comingDraft = ({ serviceName }: EventDraftSettings, { sessionId, reason, coming }: ComingNotice): EventDraft => {
  const projectId = coming[0]?.word.projectId ?? null;
  return {
    ...{ sessionId, eventType: 'maintenance.coming', messageId: randomUUID(), projectId },
    payload: {
      service: serviceName,
      // Managers that look at no type find the fields that they read, and nothing to reply to.
      ...{ state: 'COMING', instance_ids: coming.map(({ word }) => word.instanceId), allowed_actions: [] },
      ...{ reply_url: '', reply_at: '', actions_at: '' },
      session_id: sessionId,
      project_id: projectId,
      ...(reason !== null && { reason }),
      coming: coming.map(({ word, change }) => ({
        ...{ instance_id: word.instanceId, instance_name: word.instanceName, change, status: word.status },
        ...(word.impact !== null && { impact: word.impact }),
        starts_at: inSeconds(new Date(word.startsAtMs)),
        starts_at_latest: inSeconds(new Date(word.latestAtMs)),
        sequence: word.sequence,
      })),
    },
  };
};

/** UTC, in the form of `reply_at`; rounded down, so that a reply may name it. */
const inSeconds = (time: Date): string => time.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);

const replyUrl = (settings: EventDraftSettings, { sessionId, projectId, instanceId }: PlannedNotice): string => {
  const projectUrl = projectListUrl(settings, sessionId, projectId);
  return instanceId === undefined ? projectUrl : `${projectUrl}/${instanceId}`;
};
