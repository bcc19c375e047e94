/** The looks at the parts of one session, and when each is taken again. */
import { sessionOf } from '../../rules/words/events';
import { type Api, asDetail, asSummary } from '../client/api';
import type { Detail, HostsInTime, Plan, Question, RecordEntry, SessionEvent, Summary, Tenant } from '../client/types';
import type { Seen } from '../live/count-down';
import type { Look } from '../live/look';
import { useEventsFor, useLook } from '../live/use-look';
import { useSignedIn } from '../signed-in';

/** The part of a session that is shown. */
export interface SessionLooks {
  readonly summary: Look<Summary>;
  readonly hosts: Look<HostsInTime>;
  readonly questions: Look<readonly Question[]>;
  readonly plan: Look<Plan | undefined>;
  readonly events: Look<readonly SessionEvent[]>;
  readonly record: Look<readonly RecordEntry[]>;
  readonly tenants: Look<readonly Tenant[]>;
}

/** The answers for the head and the hosts come first: everything else of a large session would delay them. */
export const useSessionLooks = (sessionId: string): SessionLooks => {
  const { api } = useSignedIn();
  const detail = detailOf(api, sessionId);
  const summary = useLook<Summary>(`summary ${sessionId}`, {
    read: async (etag) => {
      const answer = await detail({ view: 'summary' }, etag);
      return answer && { ...answer, body: asSummary(answer.body) };
    },
    everyMs: 5_000,
  });
  const hosts = useLook<HostsInTime>(`hosts ${sessionId}`, {
    read: (etag) => api.http.look('/v1/maintenance/{session_id}/timeline', { params: { session_id: sessionId }, etag }),
    everyMs: 10_000,
  });
  const questions = useLook<readonly Question[]>(`questions ${sessionId}`, {
    read: async () => ({ body: (await api.questions()).filter(({ session_id: id }) => id === sessionId) }),
    everyMs: 10_000,
    after: hosts,
  });
  const plan = useLook<Plan | undefined>(`plan ${sessionId}`, {
    read: async () => ({ body: isOver(summary.seen.peek()) ? undefined : await api.planOf(sessionId) }),
    everyMs: 60_000,
    // It takes seconds for a large session.
    after: hosts,
  });
  const { events, record, tenants } = useHistoryLooks(api, sessionId, hosts);
  const isOurs = isAbout(sessionId);
  for (const look of [summary, hosts, questions, events, record, tenants]) useEventsFor(look, isOurs);
  return { summary, hosts, questions, plan, events, record, tenants };
};

const useHistoryLooks = (
  api: Api,
  sessionId: string,
  after: SessionLooks['hosts'],
): Pick<SessionLooks, 'events' | 'record' | 'tenants'> => {
  const events = useLook<readonly SessionEvent[]>(`events ${sessionId}`, {
    read: async () => ({ body: await api.events(sessionId) }),
    everyMs: 15_000,
    after,
  });
  const record = useLook<readonly RecordEntry[]>(`record ${sessionId}`, {
    read: async () => ({ body: await api.record(sessionId) }),
    everyMs: 15_000,
    after,
  });
  const tenants = useLook<readonly Tenant[]>(`tenants ${sessionId}`, {
    read: async () => ({ body: await api.tenants(sessionId) }),
    everyMs: 15_000,
    after,
  });
  return { events, record, tenants };
};

const detailOf =
  ({ http }: Api, sessionId: string) =>
  async (query: Readonly<Record<string, string>>, etag: string | undefined) =>
    http.look('/v1/maintenance/{session_id}/detail', { params: { session_id: sessionId }, query, etag });

const isAbout =
  (sessionId: string) =>
  (payload: Readonly<Record<string, unknown>>): boolean =>
    sessionOf(payload) === sessionId;

/** One host with all that is on it: the look at the hosts of a session has few fields of each. */
export const useHostLook = (sessionId: string, hostname: string): Look<Detail> => {
  const { api } = useSignedIn();
  const detail = detailOf(api, sessionId);
  const look = useLook<Detail>(`host ${sessionId} ${hostname}`, {
    read: async (etag) => {
      const answer = await detail({ host: hostname }, etag);
      return answer && { ...answer, body: asDetail(answer.body) };
    },
    everyMs: 10_000,
  });
  useEventsFor(look, isAbout(sessionId));
  return look;
};

const isOver = (seen: Seen<Summary> | undefined): boolean => seen?.body.progress === 'done';

/** A request has changed something, or its answer got lost: everything is looked at again. */
export const lookAgain = ({ summary, hosts, questions, plan, record }: SessionLooks): void => {
  for (const look of [summary, hosts, questions, plan, record]) look.again();
};
