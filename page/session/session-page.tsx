/** One session: when it ends, what it waits for, what one can do; then its hosts, questions and events. */
import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { progressInWords } from '../../rules/words/progress';
import type { Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { LookNote } from '../parts/look-note';
import { EndCard } from './end-card';
import { EventsPart } from './events-part';
import { HostsPart } from './hosts-part';
import { NextCard } from './next-card';
import { QuestionsPart } from './questions-part';
import { RecordPart } from './record-part';
import { type SessionLooks, useSessionLooks } from './session-looks';
import { SessionTitle } from './session-title';
import { TenantsPart } from './tenants-part';
import { WaitCard } from './wait-card';

export const SessionPage = ({ sessionId }: { readonly sessionId: string }) => {
  const looks = useSessionLooks(sessionId);
  return (
    <>
      {looks.summary.seen.value === undefined && <h1>Session</h1>}
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
        <EventsPart looks={looks} />
        <RecordPart looks={looks} />
        <TenantsPart looks={looks} />
      </div>
    </>
  );
};

const useTitle = (summary: Summary | undefined): void => {
  useEffect(() => {
    if (summary !== undefined)
      document.title = `${summary.percent_done} % ${progressInWords(summary.progress)} · Parley`;
    return () => {
      document.title = 'Parley';
    };
  }, [summary?.percent_done, summary?.progress]);
};
