/** One session: when it ends, what it waits for, what one can do; then its hosts, questions and events. */
import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { sessionOf } from '../../rules/words/events';
import { asDetail, asSummary } from '../client/api';
import type { Detail, Plan, Question, Summary } from '../client/types';
import { useDesk } from '../desk';
import type { Seen } from '../live/count-down';
import type { Look } from '../live/look';
import { useEventsFor, useLook } from '../live/use-look';
import { LookNote } from '../parts/look-note';
import { EndCard } from './end-card';
import { EventsPart } from './events-part';
import { HostsPart } from './hosts-part';
import { NextCard } from './next-card';
import { QuestionsPart } from './questions-part';
import { SessionTitle } from './session-title';
import { WaitCard } from './wait-card';

/** The part of a session that is shown. */
export interface SessionLooks {
  readonly summary: Look<Summary>;
  readonly hosts: Look<Detail>;
  readonly questions: Look<readonly Question[]>;
  readonly plan: Look<Plan | undefined>;
}

const useSessionLooks = (sessionId: string): SessionLooks => {
  const { api } = useDesk();
  const detail = async (view: string, etag: string | undefined) =>
    api.http.look('/v1/maintenance/{session_id}/detail', { params: { session_id: sessionId }, query: { view }, etag });
  const summary = useLook<Summary>(`summary ${sessionId}`, {
    read: async (etag) => {
      const answer = await detail('summary', etag);
      return answer && { ...answer, body: asSummary(answer.body) };
    },
    everyMs: 5_000,
  });
  const hosts = useLook<Detail>(`hosts ${sessionId}`, {
    read: async (etag) => {
      const answer = await detail('hosts', etag);
      return answer && { ...answer, body: asDetail(answer.body) };
    },
    everyMs: 10_000,
  });
  const questions = useLook<readonly Question[]>(`questions ${sessionId}`, {
    read: async () => ({ body: (await api.questions()).filter(({ session_id: id }) => id === sessionId) }),
    everyMs: 10_000,
  });
  const plan = useLook<Plan | undefined>(`plan ${sessionId}`, {
    read: async () => ({ body: isOver(summary.seen.peek()) ? undefined : await api.planOf(sessionId) }),
    everyMs: 60_000,
    // It takes seconds for a large session, and the hosts can be shown without it.
    after: hosts,
  });
  const isOurs = (payload: Readonly<Record<string, unknown>>): boolean => sessionOf(payload) === sessionId;
  useEventsFor(summary, isOurs);
  useEventsFor(hosts, isOurs);
  useEventsFor(questions, isOurs);
  return { summary, hosts, questions, plan };
};

const isOver = (seen: Seen<Summary> | undefined): boolean => seen?.body.progress === 'done';

/** A request has changed something, or its answer got lost: everything is looked at again. */
export const lookAgain = ({ summary, hosts, questions, plan }: SessionLooks): void => {
  for (const look of [summary, hosts, questions, plan]) look.again();
};

export const SessionPage = ({ sessionId }: { readonly sessionId: string }) => {
  const looks = useSessionLooks(sessionId);
  return (
    <>
      <LookNote look={looks.summary} />
      <WhenSeen seen={looks.summary.seen} looks={looks} />
    </>
  );
};

const WhenSeen = ({
  seen,
  looks,
}: {
  readonly seen: ReadonlySignal<Seen<Summary> | undefined>;
  readonly looks: SessionLooks;
}) => {
  const { value } = seen;
  useTitle(value?.body);
  if (value === undefined) return null;
  return (
    <>
      <SessionTitle seen={value} />
      <div class="cards">
        <EndCard seen={value} />
        <WaitCard seen={value} plan={looks.plan.seen.value?.body} />
        <NextCard seen={value} looks={looks} />
      </div>
      <HostsPart seen={value} looks={looks} />
      <div class="columns">
        <QuestionsPart looks={looks} />
        <EventsPart sessionId={value.body.session_id} />
      </div>
    </>
  );
};

const useTitle = (summary: Summary | undefined): void => {
  useEffect(() => {
    if (summary !== undefined) document.title = `${summary.percent_done} % ${summary.progress} · Parley`;
    return () => {
      document.title = 'Parley';
    };
  }, [summary?.percent_done, summary?.progress]);
};
